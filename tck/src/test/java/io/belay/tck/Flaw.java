package io.belay.tck;

import java.util.List;

/** A mistake in what a service promises to the store on it, and the tests that must notice. */
enum Flaw {
    NONE(),
    /** Documents are written over whatever is there. */
    VERSIONS_NOT_COMPARED(
            Notice.documents("ofTwoThatReadTheSameOnlyTheFirstWritesIt"),
            Notice.documents("whatTwoWriteAtTheSameInstantIsWrittenByOne"),
            Notice.clients(SampleStoreProvider.DOCUMENTS),
            Notice.processes(SampleStoreProvider.DOCUMENTS)),
    /** Documents that are made anew are written over what somebody else has just made. */
    MADE_OVER_ANOTHER(
            Notice.documents("ofTwoThatReadTheSameOnlyTheFirstWritesIt"),
            Notice.clients(SampleStoreProvider.DOCUMENTS),
            Notice.processes(SampleStoreProvider.DOCUMENTS)),
    /** A change is made to what was read last, though another one is written meanwhile. */
    COMPARED_BEFORE_WRITTEN(
            Notice.documents("whatTwoWriteAtTheSameInstantIsWrittenByOne"),
            Notice.clients(SampleStoreProvider.DOCUMENTS),
            Notice.processes(SampleStoreProvider.DOCUMENTS),
            Notice.clients(SampleStoreProvider.NODES),
            Notice.processes(SampleStoreProvider.NODES)),
    /** The same, under a lock that other processes do not know of. */
    LOCKED_IN_ONE_PROCESS(Notice.processes(SampleStoreProvider.DOCUMENTS), Notice.processes(SampleStoreProvider.NODES)),
    /** Documents are written though that comes too late. */
    NOT_AFTER_IGNORED(Notice.documents("whatComesTooLateIsNotWritten")),
    /** A change leaves when its document may be deleted as it was. */
    KEEPS_WHEN_TO_FORGET(Notice.documents("whatMayNotBeForgottenYetIsNotSwept")),
    /** What may be deleted in ten seconds is deleted. */
    SWEEPS_TOO_EARLY(Notice.documents("whatMayNotBeForgottenYetIsNotSwept")),
    /** What may not be deleted yet is deleted. */
    SWEEPS_ALL(Notice.documents("whatMayNotBeForgottenYetIsNotSwept")),
    /** The first name of each page but the first is not listed. */
    NAMES_SKIPPED(Notice.documents("namesAreListedPageByPage")),
    /** A prefix is a pattern, in which one letter stands for all. */
    NAMES_BY_PATTERN(Notice.documents("namesAreListedPageByPage")),
    /** Who else has a node was read before one's own was made. */
    LINE_READ_TOO_EARLY(
            Notice.nodes("ofTwoThatEnterAtTheSameInstantOneIsFirstAndTheOtherSeesIt"),
            Notice.clients(SampleStoreProvider.NODES),
            Notice.processes(SampleStoreProvider.NODES)),
    /** Other processes do not see the nodes. */
    KNOWN_IN_ONE_PROCESS(Notice.processes(SampleStoreProvider.NODES)),
    /** An enter that comes after its leave makes a node. */
    LATE_ENTER_OBEYED(Notice.nodes("anEnterThatIsUnderWayWhenItsClaimIsLeftComesToNothing")),
    /** A node's details are written over those that were written since. */
    DETAILS_NOT_COMPARED(Notice.nodes("detailsThatHaveChangedSinceTheyWereReadAreNotWrittenOver"));

    /** The test that must notice it: what is tested, the nested class of {@link StoreTck}, and the method in it. */
    record Notice(String scheme, Class<?> suite, String test) {
        static Notice documents(String test) {
            return new Notice(SampleStoreProvider.DOCUMENTS, StoreTck.StoredDocuments.class, test);
        }

        static Notice nodes(String test) {
            return new Notice(SampleStoreProvider.NODES, StoreTck.OrderedNodes.class, test);
        }

        static Notice clients(String scheme) {
            return new Notice(scheme, StoreTck.Contention.class, "ofTwoClientsThatTryAtTheSameInstantOneHasTheLock");
        }

        static Notice processes(String scheme) {
            return new Notice(scheme, StoreTck.Contention.class, "ofTwoProcessesThatTryAtTheSameInstantOneHasTheLock");
        }

        private boolean takesProcesses() {
            return suite == StoreTck.Contention.class && test.startsWith("ofTwoProcesses");
        }
    }

    private final List<Notice> noticed;

    Flaw(Notice... noticed) {
        this.noticed = List.of(noticed);
    }

    /** The tests that find it without a process of its own; where there is none, all of them. */
    List<Notice> noticedAtOnce() {
        List<Notice> here =
                noticed.stream().filter(notice -> !notice.takesProcesses()).toList();
        return here.isEmpty() ? noticed : here;
    }

    /** The others, which start processes. */
    List<Notice> noticedByProcesses() {
        return noticed.stream()
                .filter(notice -> !noticedAtOnce().contains(notice))
                .toList();
    }
}
