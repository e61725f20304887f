package jdiff.runtime.distributed;

import java.util.List;

/** Makes the groups of one rank. */
@FunctionalInterface
interface GroupFactory {
    /**
     * The group of these ranks; a {@link SingleProcess} if there is one only.
     *
     * @param axis the name in messages; with the ranks it identifies the group
     * @param ranks global ranks in order, this one included
     */
    ProcessGroup create(String axis, List<Integer> ranks);
}
