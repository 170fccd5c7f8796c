package dev.ottla.wire.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The program: `GenerateMessages PACKAGE OUTPUT DEFINITIONS`. The folder DEFINITIONS has one
/// folder a group (`clients`, `metadata`, `group`, `transaction`, `share`, `storage`) with the
/// definition files of that module anywhere inside.
public final class GenerateMessages {
    private GenerateMessages() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 3) {
            throw new IllegalArgumentException("arguments: PACKAGE OUTPUT DEFINITIONS");
        }
        String packageName = arguments[0];
        List<Definition> definitions = readAll(Path.of(arguments[2]));
        OutputFolder output = new OutputFolder(Path.of(arguments[1]), packageName);
        for (Definition definition : definitions) {
            MessageFile file = new MessageFile(definition);
            output.write(file.name(), file.text(packageName));
        }
        writeEnums(new EnumFiles(packageName, definitions), output);
        output.deleteOthers();
    }

    private static void writeEnums(EnumFiles enums, OutputFolder output) throws IOException {
        output.write("package-info", enums.packageInfo());
        output.write("ApiKey", enums.apiKeys());
        output.write(
                "MetadataRecordType",
                enums.recordTypes(
                        "MetadataRecordType", "metadata", "Records of `__cluster_metadata`."));
        output.write(
                "RemoteLogRecordType",
                enums.recordTypes(
                        "RemoteLogRecordType", "storage", "Records of `__remote_log_metadata`."));
        output.write(
                "GroupRecordType",
                enums.coordinatorRecordTypes(
                        "GroupRecordType", "group", "Records of `__consumer_offsets`."));
        output.write(
                "TransactionRecordType",
                enums.coordinatorRecordTypes(
                        "TransactionRecordType",
                        "transaction",
                        "Records of `__transaction_state`."));
        output.write(
                "ShareRecordType",
                enums.coordinatorRecordTypes(
                        "ShareRecordType", "share", "Records of `__share_group_state`."));
    }

    private static List<Definition> readAll(Path root) throws IOException {
        List<Path> files;
        try (Stream<Path> stream = Files.walk(root)) {
            files = stream.filter(path -> path.toString().endsWith(".json")).sorted().toList();
        }
        DefinitionReader reader = new DefinitionReader();
        List<Definition> definitions = new ArrayList<>();
        for (Path file : files) {
            String group = root.relativize(file).getName(0).toString();
            try {
                reader.read(group, file).ifPresent(definitions::add);
            } catch (RuntimeException e) {
                throw new IllegalArgumentException("cannot use the definition " + file, e);
            }
        }
        if (definitions.isEmpty()) throw new IllegalArgumentException("no definitions in " + root);
        return definitions;
    }
}
