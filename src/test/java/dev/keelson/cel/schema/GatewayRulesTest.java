package dev.keelson.cel.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The rules of the Gateway API, which kube-apiserver accepts. */
@Timeout(120)
class GatewayRulesTest {

  private static final Path DIRECTORY = Path.of("src/test/resources/crds");

  static Stream<Path> definitions() throws IOException {
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void definition_isAccepted(Path file) throws IOException {
    for (MapNode version : read(file).map("spec").maps("versions")) {
      StructuralSchema schema = schema(version);

      assertThat(SchemaChecks.check(schema, "schema", false, path -> false))
          .as(version.text("name"))
          .isEmpty();
    }
  }

  @Test
  void routes_areCheckedByTheirRules() throws IOException {
    MapNode definition = read(DIRECTORY.resolve("gateway.networking.k8s.io_httproutes.yaml"));
    StructuralSchema schema = schema(definition.map("spec").maps("versions").getFirst());
    MapNode route = route(Map.of("name", "a", "group", "", "kind", "Service"));
    MapNode valid = route(Map.of("name", "a", "group", "", "kind", "Service", "port", 80));

    assertThat(SchemaRules.of(schema).validate(valid, null).causes()).isEmpty();
    assertThat(SchemaRules.of(schema).validate(route, null).causes())
        .containsExactly(
            new FieldCause(
                "FieldValueInvalid",
                "Invalid value: Must have port for Service reference",
                "spec.rules[0].backendRefs[0]"));
    assertThat(SchemaRules.of(schema).validate(route, route).warnings())
        .containsExactly(
            "spec.rules[0].backendRefs[0]: Invalid value: Must have port for Service reference");
  }

  private static MapNode route(Map<String, Object> backend) {
    Map<String, Object> match = Map.of("path", Map.of("type", "PathPrefix", "value", "/"));
    Map<String, Object> rule = Map.of("matches", List.of(match), "backendRefs", List.of(backend));
    return (MapNode) RuleSamples.node(Map.of("spec", Map.of("rules", List.of(rule))));
  }

  private static StructuralSchema schema(MapNode version) {
    return StructuralSchema.of(version.map("schema").map("openAPIV3Schema"));
  }

  private static MapNode read(Path file) throws IOException {
    LoadSettings settings = LoadSettings.builder().setCodePointLimit(10_000_000).build();
    Node node = RuleSamples.node(new Load(settings).loadFromString(Files.readString(file)));
    return (MapNode) node;
  }
}
