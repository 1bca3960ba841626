package dev.keelson.schema.validation.apiextensions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.FieldValidation;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Definitions of a real project are valid, and so is any of their updates. */
@Timeout(60)
class RealDefinitionsTest {

  static Stream<Path> files() throws IOException, URISyntaxException {
    Path folder =
        Path.of(Objects.requireNonNull(RealDefinitionsTest.class.getResource("/crds")).toURI());
    try (Stream<Path> found = Files.list(folder)) {
      List<Path> files = found.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
      assertThat(files).hasSizeGreaterThan(3);
      return files.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void realDefinition_isValid(Path file) throws IOException {
    MapNode definition =
        Definitions.complete(
            ObjectReader.yaml(Files.readAllBytes(file), Definitions.SCHEMA, FieldValidation.STRICT)
                .root());
    Definitions rules = new Definitions();

    assertThat(rules.create(definition)).isEmpty();
    assertThat(rules.update(definition, definition, "")).isEmpty();
    assertThat(rules.warnings).isEmpty();
  }
}
