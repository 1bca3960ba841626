package dev.keelson.schema.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersion;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.tree.Canonical;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions;
import dev.keelson.schema.validation.apiextensions.DefaultValidation;
import dev.keelson.schema.validation.apiextensions.SchemaExpressions;
import dev.keelson.schema.validation.builtin.BuiltInRules;
import dev.keelson.testing.SmallestObjects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The rules of every type, by the tables in {@code validation/*.yaml}. A case begins with the
 * smallest object of a kind, changes it by {@code with} (a dotted path to its new value, null to
 * remove), and with {@code then} changes it once more as an update; {@code expect} has all causes
 * as {@code field: message}, each in full unless it ends in dots, in any order unless {@code
 * inOrder} says so, and {@code warns} the warnings.
 */
@Timeout(120)
class ValidationTableTest {

  private static final Path TABLES = Path.of("src", "test", "resources", "validation");
  private static final ObjectValidation VALIDATION =
      BuiltInRules.validation(
          TestExpressions::problem,
          DefaultValidation.NONE,
          SchemaExpressions.NONE,
          PolicyExpressions.NONE);
  private static final List<ResourceDefinition> RESOURCES =
      Stream.of(
              SmallestObjects.resources(),
              BuiltInResources.migrations(ProtoSchemas.fromClassPath()::struct),
              BuiltInResources.storageVersions(ProtoSchemas.fromClassPath()::struct))
          .flatMap(List::stream)
          .toList();

  static Stream<Arguments> cases() throws IOException {
    List<Arguments> cases = new ArrayList<>();
    try (Stream<Path> tables = Files.list(TABLES)) {
      for (Path table : tables.sorted().toList()) {
        int number = 0;
        for (Object document : (List<?>) load(table)) {
          number++;
          Map<?, ?> row = (Map<?, ?>) document;
          cases.add(
              Arguments.of(
                  table.getFileName()
                      + " "
                      + number
                      + " "
                      + row.get("of")
                      + " "
                      + row.get("with")
                      + (row.containsKey("then") ? " then " + row.get("then") : ""),
                  row));
        }
      }
    }
    assertThat(cases.size()).isGreaterThan(180);
    return cases.stream();
  }

  private static Object load(Path table) {
    try {
      return new Load(LoadSettings.builder().build()).loadFromString(Files.readString(table));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void causesAreThoseOfTheTable(String name, Map<?, ?> row) {
    ResourceDefinition resource = resource(String.valueOf(row.get("of")));
    StoredType type = Objects.requireNonNull(resource.storage());
    Object first = edited(smallest(resource), row.get("with"));
    ApiObject before = object(first, type);

    List<FieldCause> causes;
    List<String> warnings = new ArrayList<>();
    if (row.containsKey("then")) {
      String subresource = row.containsKey("through") ? String.valueOf(row.get("through")) : "";
      ApiObject after = object(edited(copy(first), row.get("then")), type);
      causes =
          VALIDATION.validateUpdate(
              type.kind(),
              resource.gvk(),
              type.schema(),
              subresource,
              after,
              before,
              warnings::add);
    } else {
      causes =
          VALIDATION.validateCreate(
              type.kind(), resource.gvk(), type.schema(), before, warnings::add);
    }

    List<String> expected =
        ((List<?>) Objects.requireNonNull(row.get("expect")))
            .stream().map(String::valueOf).toList();
    List<String> told = causes.stream().map(cause -> compared(cause, expected)).toList();
    assertThat(told).containsExactlyInAnyOrderElementsOf(expected);
    if (Boolean.TRUE.equals(row.get("inOrder"))) {
      assertThat(told).isEqualTo(expected);
    }
    if (row.get("warns") instanceof List<?> warns) {
      assertThat(warnings).isEqualTo(warns);
    }
  }

  /** The whole cause, or what the table has for it if that ends in dots and is its beginning. */
  private static String compared(FieldCause cause, List<String> expected) {
    String summary = cause.summary();
    for (String each : expected) {
      if (each.endsWith("...") && summary.startsWith(each.substring(0, each.length() - 3))) {
        return each;
      }
    }
    return summary;
  }

  static Stream<ResourceDefinition> stored() {
    return RESOURCES.stream()
        .filter(each -> each.storage() != null && each.gvk().equals(each.storage().kind()));
  }

  @ParameterizedTest
  @MethodSource("stored")
  void smallestObjectOfEachKindIsValid(ResourceDefinition resource) {
    StoredType type = Objects.requireNonNull(resource.storage());
    ApiObject object = object(smallest(resource), type);

    List<String> warnings = new ArrayList<>();
    assertThat(
            VALIDATION.validateCreate(
                type.kind(), resource.gvk(), type.schema(), object, warnings::add))
        .isEmpty();
    assertThat(
            VALIDATION.validateUpdate(
                type.kind(), resource.gvk(), type.schema(), "", object, object, warnings::add))
        .isEmpty();
    assertThat(warnings).isEmpty();
  }

  private static Object smallest(ResourceDefinition resource) {
    Map<String, Object> object = SmallestObjects.of(resource, "default", "some", 7);
    return resource.namespaced() ? edited(object, Map.of("metadata.namespace", "default")) : object;
  }

  private static ResourceDefinition resource(String versionAndKind) {
    String[] words = versionAndKind.split(" ");
    GroupVersion version = GroupVersion.parse(words[0]);
    return RESOURCES.stream()
        .filter(each -> each.gvk().equals(version.kind(words[1])))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + versionAndKind));
  }

  private static ApiObject object(Object tree, StoredType type) {
    return new ApiObject(
        Canonical.form((MapNode) Objects.requireNonNull(node(tree)), type.schema()));
  }

  private static @Nullable Node node(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Map<?, ?> map -> {
        MapNode.Builder builder = MapNode.builder(map.size());
        map.forEach(
            (key, each) -> {
              Node node = node(each);
              if (node != null) {
                builder.put(String.valueOf(key), node);
              }
            });
        yield builder.build();
      }
      case List<?> list -> new Node.Items(list.stream().map(ValidationTableTest::node).toList());
      case Integer number -> new Node.Int(number);
      case Long number -> new Node.Int(number);
      case Boolean bool -> Node.Bool.of(bool);
      default -> Node.text(String.valueOf(value));
    };
  }

  private static @Nullable Object copy(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((key, each) -> copy.put(String.valueOf(key), copy(each)));
        yield copy;
      }
      case List<?> list -> {
        List<@Nullable Object> copy = new ArrayList<>();
        list.forEach(each -> copy.add(copy(each)));
        yield copy;
      }
      default -> value;
    };
  }

  /** {@code object} with the changes {@code edits}, by dotted path. */
  private static Object edited(@Nullable Object object, @Nullable Object edits) {
    Object root = Objects.requireNonNull(copy(object));
    if (edits instanceof Map<?, ?> map) {
      map.forEach((path, value) -> set(root, String.valueOf(path), copy(value)));
    }
    return root;
  }

  @SuppressWarnings("unchecked") // trees made by copy
  private static void set(Object root, String path, @Nullable Object value) {
    String[] steps = path.replace("[", ".[").split("\\.");
    Object at = root;
    for (int i = 0; i < steps.length; i++) {
      boolean last = i == steps.length - 1;
      String step = steps[i];
      if (step.startsWith("[")) {
        List<@Nullable Object> list = (List<@Nullable Object>) at;
        int index = Integer.parseInt(step.substring(1, step.length() - 1));
        if (index == list.size()) {
          list.add(new LinkedHashMap<String, @Nullable Object>());
        }
        if (last) {
          list.set(index, value);
        } else {
          at = Objects.requireNonNull(list.get(index));
        }
      } else {
        Map<String, @Nullable Object> map = (Map<String, @Nullable Object>) at;
        if (last) {
          if (value == null) {
            map.remove(step);
          } else {
            map.put(step, value);
          }
        } else {
          boolean listNext = steps[i + 1].startsWith("[");
          at =
              Objects.requireNonNull(
                  map.computeIfAbsent(
                      step, key -> listNext ? new ArrayList<>() : new LinkedHashMap<>()));
        }
      }
    }
  }
}
