package dev.ottla.metadata.controller;

import dev.ottla.testing.ScenarioFiles;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Conversations with a controller; [Scenario] knows the commands, [ScenarioFiles] the form.
class ScenarioTest {
    @TestFactory
    List<DynamicTest> scenarios() throws IOException {
        return ScenarioFiles.tests(() -> new Scenario()::run);
    }
}
