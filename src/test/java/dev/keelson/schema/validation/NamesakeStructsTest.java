package dev.keelson.schema.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.Publication;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Field.Rules;
import dev.keelson.schema.SchemaNode.Field.Validation;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.testing.SmallestObjects;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A struct of a custom resource has no exception of the built-in struct whose short name it shares.
 * Each built-in struct has such a namesake in {@code com.example.v1}, whose fields have the same
 * names and are all required and enumerated. Expected answers are those for a struct of the same
 * fields whose name no built-in struct has.
 */
class NamesakeStructsTest {

  private static final Rules REQUIRED_ENUM =
      new Rules(
          /* required= */ true,
          /* immutable= */ false,
          /* defaultJson= */ "",
          List.of(),
          /* patchMergeKey= */ "",
          List.of("Known"),
          /* disabled= */ false,
          Validation.DECLARED,
          /* goName= */ "",
          Publication.NOTHING);

  /** The structs that the built-in resources contain. */
  static Stream<StructSchema> builtIn() {
    Map<String, StructSchema> byName = new TreeMap<>();
    SmallestObjects.resources().forEach(each -> collect(each.schema(), byName));
    return byName.values().stream();
  }

  private static void collect(SchemaNode type, Map<String, StructSchema> byName) {
    switch (type) {
      case StructSchema struct -> {
        if (byName.putIfAbsent(struct.name(), struct) == null) {
          struct.fields().forEach(field -> collect(field.type(), byName));
        }
      }
      case ListOf list -> collect(list.element(), byName);
      case MapOf map -> collect(map.value(), byName);
      case SchemaNode.Union union -> collect(union.message(), byName);
      case Scalar _, SchemaNode.Free _, SchemaNode.Structural _ -> {}
    }
  }

  private static StructSchema struct(String shortName, List<Field> fields) {
    return new StructSchema("com.example.v1." + shortName, false, false, () -> fields);
  }

  /** The fields of a struct, each as a required and enumerated string. */
  private static List<Field> strings(StructSchema builtIn) {
    return builtIn.fields().stream()
        .map(
            field ->
                new Field(
                    field.name(),
                    Scalar.STRING,
                    field.number(),
                    List.of(),
                    Field.Presence.POINTER,
                    REQUIRED_ENUM))
        .toList();
  }

  /** The causes for a struct in the field {@code part} of an object. */
  private static List<FieldCause> causes(StructSchema struct, MapNode value) {
    Field part = new Field("part", struct, 1, List.of(), Field.Presence.POINTER, Field.Rules.NONE);
    StructSchema object = struct("Object", List.of(part));
    DeclaredRules rules = new DeclaredRules();
    Causes causes = new Causes();
    rules.check(Value.root(MapNode.of("part", value), causes, object, rules), object);
    return causes.found();
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void declaredRules_areEnforced(StructSchema builtIn) {
    List<Field> fields = strings(builtIn);
    StructSchema namesake = struct(builtIn.shortName(), fields);
    StructSchema unheard = struct("Unheard", fields);
    MapNode unsupported = MapNode.EMPTY;
    for (Field field : fields) {
      unsupported = unsupported.with(field.name(), Node.text("unsupported"));
    }

    assertThat(causes(namesake, MapNode.EMPTY))
        .hasSize(fields.size())
        .isEqualTo(causes(unheard, MapNode.EMPTY));
    assertThat(causes(namesake, unsupported))
        .hasSize(fields.size())
        .isEqualTo(causes(unheard, unsupported));
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void internalVersion_namesAndOrdersFieldsAsDeclared(StructSchema builtIn) {
    List<Field> fields = strings(builtIn);

    assertThat(InternalVersion.lines(MapNode.EMPTY, struct(builtIn.shortName(), fields)))
        .hasSize(fields.isEmpty() ? 2 : fields.size() + 2)
        .isEqualTo(InternalVersion.lines(MapNode.EMPTY, struct("Unheard", fields)));
  }

  @Test
  void builtIn_isNotEmpty() {
    assertThat(builtIn()).hasSizeGreaterThan(300);
  }

  /** The name that one struct gives to a field is not that of a field in another struct. */
  @Test
  void internalVersion_namesAFieldByItsStruct() {
    String core = "io.k8s.api.core.v1.";

    assertThat(InternalVersion.lines(MapNode.EMPTY, builtIn(core + "RBDVolumeSource")))
        .contains(" \"CephMonitors\": null,");
    assertThat(InternalVersion.lines(MapNode.EMPTY, builtIn(core + "CephFSVolumeSource")))
        .contains(" \"Monitors\": null,");
    assertThat(
            InternalVersion.lines(MapNode.EMPTY, builtIn("io.k8s.api.discovery.v1.EndpointSlice")))
        .contains(" \"Endpoints\": null,");
  }

  private static StructSchema builtIn(String name) {
    return builtIn().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }
}
