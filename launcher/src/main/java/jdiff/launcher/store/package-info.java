/**
 * The rendezvous server: the TCPStore protocol of libtorch 2.10, so that jdiff workers and Python's
 * {@code init_process_group()} meet here. One thread serves everybody; nothing blocks.
 *
 * <p>Wire format, little endian: a command byte, then its fields; a key or value is a 64-bit length and its bytes. The first
 * command of a connection must be {@code VALIDATE} with the magic number. A new command is one constant and one case in
 * {@link jdiff.launcher.store.StoreCommands}.
 */
@NullMarked
package jdiff.launcher.store;

import org.jspecify.annotations.NullMarked;
