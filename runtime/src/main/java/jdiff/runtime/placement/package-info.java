/**
 * Which part of a model lives on which device, decided before a byte of its weights is read.
 * {@link jdiff.runtime.placement.DeviceMap} is what a user asks for, {@link jdiff.runtime.placement.DeviceSizes} what there is,
 * {@link jdiff.runtime.placement.Placements} makes a {@link jdiff.runtime.placement.PlacementPlan} of both, and
 * {@link jdiff.runtime.placement.MemoryCheck} says whether it can work. How values get from device to device is the business of
 * {@link jdiff.runtime.nn.Seam}; why blocks know nothing of it is in {@code runtime/docs/decisions/007-placement.md}. Another way
 * to place is another {@link jdiff.runtime.placement.DeviceMap}.
 */
@NullMarked
package jdiff.runtime.placement;

import org.jspecify.annotations.NullMarked;
