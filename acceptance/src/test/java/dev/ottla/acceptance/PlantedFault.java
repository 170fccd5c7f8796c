package dev.ottla.acceptance;

import dev.ottla.testkit.BrokerCommand;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/// A mistake that a broker could have: a class of the distribution with one method changed, to
/// stand before it on the class path of a started broker. One whose method is no longer what it was
/// cannot be planted, and says so.
enum PlantedFault {
    /// What a leader has written counts as if it were synced.
    ACKNOWLEDGED_BEFORE_SYNC(
            "broker", "partition.HostedPartition", "onWritten", "power-lost-by-all") {
        @Override
        boolean change(CodeBuilder code, CodeElement element, boolean done) {
            // Only under the other flush policy.
            if (!(element instanceof BranchInstruction branch)
                    || branch.opcode() != Opcode.IF_ACMPNE) {
                return false;
            }
            code.pop2();
            return true;
        }
    },

    /// The high watermark follows the leader's own log and waits for nobody.
    ACKNOWLEDGED_BEFORE_OTHERS_HAVE_IT(
            "replication", "LeaderReplica", "maybeAdvanceHighWatermark") {
        @Override
        boolean change(CodeBuilder code, CodeElement element, boolean done) {
            if (!isField(element, "inMaximalIsr")) {
                return false;
            }
            code.getfield(REPLICA, "brokerId", ConstantDescs.CD_int);
            code.aload(0).getfield(LEADER, "brokerId", ConstantDescs.CD_int);
            code.ifThenElse(Opcode.IF_ICMPEQ, CodeBuilder::iconst_1, CodeBuilder::iconst_0);
            return true;
        }
    },

    /// Whoever begins to follow throws away what it does not know to be below the high watermark.
    CUT_AT_THE_HIGH_WATERMARK(
            "replication", "FollowerReplica", ConstantDescs.INIT_NAME, "follower-returns-first") {
        @Override
        boolean change(CodeBuilder code, CodeElement element, boolean done) {
            if (!(element instanceof ReturnInstruction)) {
                return false;
            }
            ClassDesc log = ClassDesc.of("dev.ottla.replication.FollowerLog");
            code.aload(0).getfield(FOLLOWER, "log", log);
            code.invokeinterface(log, "logEndOffset", MethodTypeDesc.of(ConstantDescs.CD_long));
            code.aload(0).getfield(FOLLOWER, "highWatermark", ConstantDescs.CD_long);
            code.lcmp();
            code.ifThen(
                    Opcode.IFGT,
                    cut -> {
                        cut.aload(0).getfield(FOLLOWER, "log", log);
                        cut.aload(0).getfield(FOLLOWER, "highWatermark", ConstantDescs.CD_long);
                        cut.invokeinterface(
                                log,
                                "truncateTo",
                                MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long));
                    });
            code.return_();
            return true;
        }
    },

    /// Who was proposed for the ISR, and may be in it already, does not count yet.
    ONLY_THE_COMMITTED_ISR_COUNTS(
            "replication", "LeaderReplica", "maybeAdvanceHighWatermark", "isr-grows-unheard") {
        @Override
        boolean change(CodeBuilder code, CodeElement element, boolean done) {
            if (!isField(element, "inMaximalIsr")) {
                return false;
            }
            ClassDesc membership = ClassDesc.of("dev.ottla.replication.LeaderStart$Membership");
            code.getfield(REPLICA, "brokerId", ConstantDescs.CD_int);
            code.invokestatic(
                    ConstantDescs.CD_Integer,
                    "valueOf",
                    MethodTypeDesc.of(ConstantDescs.CD_Integer, ConstantDescs.CD_int));
            code.aload(0).getfield(LEADER, "committed", membership);
            code.invokevirtual(membership, "isr", MethodTypeDesc.of(ConstantDescs.CD_Set));
            code.swap();
            code.invokeinterface(
                    ConstantDescs.CD_Set,
                    "contains",
                    MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_Object));
            return true;
        }
    },

    /// A leadership is taken up again in the epoch in which it was left, for epochs rise only when
    /// the lead goes from one broker to another.
    LEADERSHIP_RESUMED_IN_ITS_EPOCH(
            "metadata", "image.PartitionState", "with", "leader-returns-alone") {
        @Override
        boolean change(CodeBuilder code, CodeElement element, boolean done) {
            // The first one is the leader epoch's, the second one the partition epoch's.
            if (done
                    || !(element instanceof OperatorInstruction plus)
                    || plus.opcode() != Opcode.IADD) {
                return false;
            }
            ClassDesc optional = ClassDesc.of("java.util.OptionalInt");
            code.pop();
            code.aload(1).invokevirtual(CHANGE, "leader", MethodTypeDesc.of(optional));
            code.iconst_m1();
            code.invokevirtual(
                    optional,
                    "orElse",
                    MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int));
            code.aload(0).getfield(PARTITION, "leader", ConstantDescs.CD_int);
            code.ior(); // Negative where one of both is no broker.
            code.ifThenElse(Opcode.IFGE, CodeBuilder::iconst_1, CodeBuilder::iconst_0);
            code.iadd();
            return true;
        }
    },

    /// A directory is known by its path, so that an empty one is taken for the one that was there.
    EMPTY_REPLICA_ELECTED("log", "DataDirectory", "id", "wiped-node-returns-first") {
        @Override
        boolean change(CodeBuilder code, CodeElement element, boolean done) {
            if (!(element instanceof InvokeInstruction call)
                    || !call.name().equalsString("newDirectoryId")) {
                return false;
            }
            ClassDesc id = ClassDesc.of("dev.ottla.wire.Uuid");
            code.pop();
            code.new_(id).dup();
            code.lconst_1();
            code.aload(0);
            code.getfield(
                    ClassDesc.of("dev.ottla.log.DataDirectory"),
                    "path",
                    ClassDesc.of("java.nio.file.Path"));
            code.invokevirtual(
                    ConstantDescs.CD_Object, "hashCode", MethodTypeDesc.of(ConstantDescs.CD_int));
            code.i2l();
            code.invokespecial(
                    id,
                    ConstantDescs.INIT_NAME,
                    MethodTypeDesc.of(
                            ConstantDescs.CD_void, ConstantDescs.CD_long, ConstantDescs.CD_long));
            return true;
        }
    };

    private static final ClassDesc LEADER = ClassDesc.of("dev.ottla.replication.LeaderReplica");
    private static final ClassDesc FOLLOWER = ClassDesc.of("dev.ottla.replication.FollowerReplica");
    private static final ClassDesc PARTITION =
            ClassDesc.of("dev.ottla.metadata.image.PartitionState");
    private static final ClassDesc CHANGE =
            ClassDesc.of("dev.ottla.metadata.MetadataRecord$PartitionChange");
    private static final ClassDesc REPLICA = ClassDesc.of("dev.ottla.replication.Replica");

    private final String module;
    private final String type;
    private final String method;

    /// Provokes what the mistake leads to; empty where faults by chance do.
    private final String scenario;

    PlantedFault(String module, String type, String method) {
        this(module, type, method, "");
    }

    PlantedFault(String module, String type, String method, String scenario) {
        this.scenario = scenario;
        this.module = module;
        this.type = type;
        this.method = method;
    }

    /// Writes what stands in place of the element; returns false when that stays.
    ///
    /// @param done whether another element was changed before
    abstract boolean change(CodeBuilder code, CodeElement element, boolean done);

    /// The words for `./ottla chaos` that provoke what the mistake leads to.
    List<String> provocation() {
        return scenario.isEmpty()
                ? List.of("--minutes", "1", "--faults", "kill,pause,membership")
                : List.of("--scenario", scenario);
    }

    private static boolean isField(CodeElement element, String name) {
        return element instanceof FieldInstruction field
                && field.opcode() == Opcode.GETFIELD
                && field.name().equalsString(name);
    }

    /// Writes the changed class under `directory`.
    void plant(Path directory) throws IOException {
        String name = "dev/ottla/%s/%s.class".formatted(module, type.replace('.', '/'));
        byte[] original = read(name);
        ClassModel model = ClassFile.of().parse(original);
        boolean[] found = {false};
        byte[] planted =
                ClassFile.of()
                        .transformClass(
                                model,
                                ClassTransform.transformingMethodBodies(
                                        candidate -> candidate.methodName().equalsString(method),
                                        (code, element) -> {
                                            if (change(code, element, found[0])) {
                                                found[0] = true;
                                            } else {
                                                code.with(element);
                                            }
                                        }));
        if (!found[0]) {
            throw new IllegalStateException(
                    name() + " cannot be planted: " + type + "." + method + " is another one now");
        }
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, planted);
    }

    private byte[] read(String name) throws IOException {
        Path lib = BrokerCommand.root().resolve("cli/target/ottla/lib");
        try (Stream<Path> jars = Files.list(lib)) {
            Path jar =
                    jars.filter(file ->
                                    String.valueOf(file.getFileName()).matches(module + "-\\d.*"))
                            .findFirst()
                            .orElseThrow();
            try (JarFile open = new JarFile(jar.toFile())) {
                return open.getInputStream(open.getJarEntry(name)).readAllBytes();
            }
        }
    }
}
