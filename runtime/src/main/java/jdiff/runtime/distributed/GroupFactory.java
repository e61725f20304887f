package jdiff.runtime.distributed;

import java.util.List;

/** Makes the groups of one rank. */
@FunctionalInterface
interface GroupFactory {
    /**
     * @param axis the name in messages; with the ranks it identifies the group
     * @param ranks global ranks in order, this one included
     */
    ProcessGroup create(String axis, List<Integer> ranks);
}
