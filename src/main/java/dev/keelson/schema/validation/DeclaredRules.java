package dev.keelson.schema.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.DerivedBySchema;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules that the schema itself declares: required fields and known values, at every level of an
 * object except in its metadata and status. Fields that Kubernetes documents as required or
 * enumerated but does not enforce, or enforces with another cause, say so in {@link
 * Field.Validation}; the rules of the kind validate them. Safe for use by several threads.
 */
public final class DeclaredRules implements Value.Declared {
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  /** The full names of the structs whose fields are validated by other rules. */
  private static final Set<String> SKIPPED =
      Set.of(
          META + "LabelSelector",
          META + "ObjectMeta",
          META + "ManagedFieldsEntry",
          "io.k8s.api.core.v1.Event",
          "io.k8s.api.events.v1.Event");

  /**
   * The full names of the structs whose rules apply the declared ones in place, see {@link Value}.
   */
  private static final Set<String> IN_PLACE =
      Set.of(
          "io.k8s.api.core.v1.PodSpec",
          "io.k8s.api.core.v1.Volume",
          "io.k8s.api.core.v1.PersistentVolumeSpec");

  private record Needed(
      String field, String detail, boolean scalar, @Nullable StructSchema value) {}

  /**
   * The rules of a struct.
   *
   * @param known by the field's position, the known values, none if any is fine
   * @param given by the field's position, whether an empty string is a value: that of a pointer
   * @param below by the field's position, the struct that the field holds, directly, in a list or
   *     in a map, or null
   */
  private record Plan(
      List<Needed> needed, String[][] known, boolean[] given, @Nullable StructSchema[] below) {}

  private final DerivedBySchema<Plan> plans = new DerivedBySchema<>(Plan.class);

  /** Reports the rules that {@code object} violates. */
  public void check(Value object, StructSchema schema) {
    if (!SKIPPED.contains(schema.name())) {
      struct(object, schema, true);
    }
  }

  /** Reports the rules that the struct at {@code value} and all below it violate. */
  @Override
  public void below(Value value, StructSchema schema) {
    inStruct(value, schema, false);
  }

  /** Reports the rules that the fields named {@code names} violate, in this order. */
  @Override
  public void fields(Value value, StructSchema schema, String... names) {
    Plan plan = plan(schema);
    for (String name : names) {
      for (Needed each : plan.needed) {
        if (each.field.equals(name)) {
          needed(value, List.of(each));
        }
      }
      int position = schema.indexOf(name);
      String[] known = plan.known[position];
      if (known.length > 0) {
        known(value.get(name), known, plan.given[position]);
      }
    }
  }

  private void struct(Value value, StructSchema schema, boolean top) {
    if (value.inOrder() && IN_PLACE.contains(schema.name())) {
      return;
    }
    inStruct(value, schema, top);
  }

  private void inStruct(Value value, StructSchema schema, boolean top) {
    Plan plan = plan(schema);
    needed(value, plan.needed);
    MapNode map = value.map();
    for (int i = 0; i < map.size(); i++) {
      String name = map.keyAt(i);
      if (top && (name.equals("status") || name.equals("metadata"))) {
        continue;
      }
      int position = schema.indexOf(name);
      if (position >= 0) {
        String[] known = plan.known[position];
        if (known.length > 0) {
          known(value.get(name), known, plan.given[position]);
        }
        StructSchema below = plan.below[position];
        if (below != null) {
          below(value.get(name), schema.fields().get(position).type(), below);
        }
      }
    }
  }

  private void needed(Value value, List<Needed> needed) {
    for (int i = 0; i < needed.size(); i++) {
      Needed each = needed.get(i);
      Node found = value.map().get(each.field);
      if (each.value != null) {
        if (found == null) {
          struct(value.get(each.field).holding(MapNode.EMPTY), each.value, false);
        }
      } else if (found == null
          || found == Node.Null.NULL
          || (each.scalar && found instanceof Node.Text text && text.value().isEmpty())
          || (found instanceof Node.Items items && items.values().isEmpty())) {
        value.get(each.field).required(each.detail);
      }
    }
  }

  private static void known(Value value, String[] known, boolean given) {
    if (value.node() instanceof Node.Items) {
      for (Value each : value) {
        each.oneOf(known);
      }
    } else if (given) {
      GivenText.validateKnown(value, known);
    } else {
      value.oneOf(known);
    }
  }

  private void below(Value value, SchemaNode type, StructSchema struct) {
    if (type instanceof StructSchema) {
      struct(value, struct, false);
    } else {
      for (Value each : value) {
        struct(each, struct, false);
      }
    }
  }

  private Plan plan(StructSchema schema) {
    return plans.of(schema, DeclaredRules::made);
  }

  private static Plan made(StructSchema schema) {
    List<Field> fields = schema.fields();
    List<Needed> needed = new ArrayList<>();
    String[][] known = new String[fields.size()][0];
    boolean[] given = new boolean[fields.size()];
    @Nullable StructSchema[] below = new StructSchema[fields.size()];
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      Field.Validation validation = field.rules().validation();
      if (!validation.openEnum()) {
        known[i] = field.rules().known().toArray(String[]::new);
        given[i] =
            field.presence() == Field.Presence.POINTER
                || field.presence() == Field.Presence.NULLABLE;
      }
      StructSchema struct = structIn(field.type());
      boolean skipped = validation.skipped() || (struct != null && SKIPPED.contains(struct.name()));
      below[i] = skipped ? null : struct;
      if (field.rules().required() && !validation.optional()) {
        boolean byValue = field.presence() == Field.Presence.VALUE;
        if (canBeMissing(field) && !(byValue && skipped)) {
          needed.add(
              new Needed(
                  field.name(),
                  validation.requiredDetail(),
                  field.type() instanceof SchemaNode.Scalar,
                  byValue && field.type() instanceof StructSchema value ? value : null));
        }
      }
    }
    return new Plan(List.copyOf(needed), known, given, below);
  }

  /** A number or boolean that is not a pointer is never missing: it is zero. */
  private static boolean canBeMissing(Field field) {
    return !(field.type() instanceof SchemaNode.Scalar scalar)
        || switch (scalar) {
          case INT32, INT64, UINT32, UINT64, DOUBLE, BOOL ->
              field.presence() == Field.Presence.POINTER;
          case TIME, MICRO_TIME, DURATION, INT_OR_STRING, QUANTITY -> false;
          case STRING, BYTES -> true;
        };
  }

  private static @Nullable StructSchema structIn(SchemaNode type) {
    return switch (type) {
      case StructSchema struct -> struct;
      case SchemaNode.ListOf list -> structIn(list.element());
      case SchemaNode.MapOf map -> structIn(map.value());
      case SchemaNode.Scalar _, SchemaNode.Free _, SchemaNode.Union _, SchemaNode.Structural _ ->
          null;
    };
  }
}
