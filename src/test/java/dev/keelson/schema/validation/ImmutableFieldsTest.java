package dev.keelson.schema.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions;
import dev.keelson.schema.validation.apiextensions.DefaultValidation;
import dev.keelson.schema.validation.apiextensions.SchemaExpressions;
import dev.keelson.schema.validation.builtin.BuiltInRules;
import dev.keelson.testing.SmallestObjects;
import dev.keelson.testing.TreeJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the schema says cannot be changed cannot be changed, whichever rule sees to it. */
@Timeout(120)
class ImmutableFieldsTest {

  /** Drafts of other objects: their fields may change with them. */
  private static final Set<String> DRAFTS =
      Set.of("PodTemplateSpec", "JobTemplateSpec", "PersistentVolumeClaim", "ObjectMeta");

  private static final ObjectValidation VALIDATION =
      BuiltInRules.validation(
          TestExpressions::problem,
          DefaultValidation.NONE,
          SchemaExpressions.NONE,
          PolicyExpressions.NONE);

  /** A field that no update may change, by its path in JSON; an element of a list is its first. */
  private record Fixed(ResourceDefinition resource, List<String> path, Field field) {
    @Override
    public String toString() {
      return resource.kind() + " " + String.join(".", path);
    }
  }

  static Stream<Arguments> fields() {
    List<Fixed> fields = new ArrayList<>();
    for (ResourceDefinition resource : SmallestObjects.resources()) {
      StoredType type = Objects.requireNonNull(resource.storage());
      if (type.kind().equals(resource.gvk())) {
        collect(resource, type.schema(), List.of(), fields);
      }
    }
    return fields.stream().map(Arguments::of);
  }

  private static void collect(
      ResourceDefinition resource, StructSchema schema, List<String> path, List<Fixed> fields) {
    for (Field field : schema.fields()) {
      List<String> here = new ArrayList<>(path);
      here.add(field.name());
      if (path.isEmpty() && (field.name().equals("status") || field.name().equals("metadata"))) {
        continue;
      }
      if (field.rules().immutable()) {
        fields.add(new Fixed(resource, here, field));
      } else if (structOf(field.type()) instanceof StructSchema below
          && !DRAFTS.contains(below.shortName())
          && path.size() < 4
          && (field.type() instanceof StructSchema || field.name().equals("containers"))) {
        collect(resource, below, here, fields);
      }
    }
  }

  private static SchemaNode structOf(SchemaNode type) {
    return type instanceof ListOf list ? list.element() : type;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("fields")
  void changeOfAnImmutableFieldIsRefused(Object fixed) {
    Fixed each = (Fixed) fixed;
    StoredType type = Objects.requireNonNull(each.resource.storage());
    MapNode smallest =
        (MapNode)
            TreeJson.read(
                new com.google.gson.Gson()
                    .toJson(SmallestObjects.of(each.resource, "default", "some", 7))
                    .getBytes(StandardCharsets.UTF_8));
    ApiObject before =
        new ApiObject((MapNode) set(smallest, each.path, value(each.field.type(), each.field, 0)));
    ApiObject after =
        new ApiObject((MapNode) set(smallest, each.path, value(each.field.type(), each.field, 1)));

    assertThat(
            VALIDATION.validateUpdate(
                type.kind(), each.resource.gvk(), type.schema(), "", before, before, w -> {}))
        .as("what is wrong with the object itself is not what this test asks for")
        .noneMatch(cause -> cause.message().contains("mmutable"));
    assertThat(
            VALIDATION.validateUpdate(
                type.kind(), each.resource.gvk(), type.schema(), "", after, before, w -> {}))
        .anyMatch(
            cause ->
                cause.message().contains("mmutable")
                    || cause.message().contains("may not change")
                    || cause.message().contains("may not be changed")
                    || cause.message().contains("cannot change")
                    || cause.message().contains("are forbidden"));
  }

  @Test
  void schemaDeclaresImmutableFields() {
    assertThat(fields().count()).isGreaterThan(60);
  }

  private static Node set(Node tree, List<String> path, Node value) {
    if (path.isEmpty()) {
      return value;
    }
    if (tree instanceof Node.Items items) {
      List<Node> changed = new ArrayList<>(items.values());
      changed.set(0, set(changed.get(0), path, value));
      return new Node.Items(changed);
    }
    MapNode map = (MapNode) tree;
    Node below = map.get(path.get(0));
    return map.with(
        path.get(0),
        set(below == null ? MapNode.EMPTY : below, path.subList(1, path.size()), value));
  }

  /** One of two values that differ. */
  private static Node value(SchemaNode type, Field field, int which) {
    List<String> known = field.rules().known();
    return switch (type) {
      case StructSchema struct -> {
        Field first = struct.fields().get(0);
        yield MapNode.of(first.name(), value(first.type(), first, which));
      }
      case ListOf list -> new Node.Items(List.of(value(list.element(), field, which)));
      case MapOf map -> MapNode.of("key", value(map.value(), field, which));
      case SchemaNode.Union union -> MapNode.of("description", Node.text("value" + which));
      case SchemaNode.Structural custom -> throw new IllegalStateException("no value of " + custom);
      case SchemaNode.Free free -> MapNode.of("key", Node.text("value" + which));
      case Scalar scalar ->
          switch (scalar) {
            case BOOL -> Node.Bool.of(which == 0);
            case INT32, INT64, UINT32, UINT64, DOUBLE, INT_OR_STRING -> new Node.Int(which + 1);
            default -> Node.text(known.size() > 1 ? known.get(which) : "value" + which);
          };
    };
  }
}
