package dev.keelson.schema.validation;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.value.GoQuote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The path of a field from the root of its object (field.Path), and what can be reported of the
 * field without its value.
 */
abstract class FieldPath {

  private final @Nullable FieldPath parent;
  private final @Nullable String name;
  private final boolean isKey;
  private final int index;
  private final Causes causes;
  private final StructSchema schema;

  /** The root of an object of {@code schema}. */
  FieldPath(Causes causes, StructSchema schema) {
    this.parent = null;
    this.name = null;
    this.isKey = false;
    this.index = 0;
    this.causes = causes;
    this.schema = schema;
  }

  /**
   * A path below {@code parent}.
   *
   * @param name the name of the field or the key of the map's entry, null for an element of a list
   * @param index the index of the element
   */
  FieldPath(FieldPath parent, @Nullable String name, boolean isKey, int index) {
    this.parent = parent;
    this.name = name;
    this.isKey = isKey;
    this.index = index;
    this.causes = parent.causes;
    this.schema = parent.schema;
  }

  /** The field {@code name} beside {@code sibling}, or the key if that is the entry of a map. */
  FieldPath(FieldPath sibling, String name) {
    this.parent = sibling.parent;
    this.name = name;
    this.isKey = sibling.isKey;
    this.index = 0;
    this.causes = sibling.causes;
    this.schema = sibling.schema;
  }

  /** The same path. */
  FieldPath(FieldPath same) {
    this.parent = same.parent;
    this.name = same.name;
    this.isKey = same.isKey;
    this.index = same.index;
    this.causes = same.causes;
    this.schema = same.schema;
  }

  /** Reports a cause at this path. */
  final void add(String reason, String message) {
    // the path is not built for a cause that is only counted
    causes.add(reason, message, full() ? "" : path());
  }

  /** Whether the object that is updated has the string {@code text} anywhere. */
  public final boolean isStored(String text) {
    return causes.isStored(text);
  }

  /** What the object that is updated has at this path; null if nothing, and on create. */
  public final @Nullable Node before() {
    if (parent == null) {
      return causes.stored();
    }
    return switch (parent.before()) {
      case MapNode map when name != null -> map.get(name);
      case Node.Items items when name == null && index < items.values().size() ->
          items.values().get(index);
      case null, default -> null;
    };
  }

  /** Whether a container may be privileged. */
  public boolean allowsPrivileged() {
    return causes.allowsPrivileged();
  }

  /** Whether further causes are only counted, so that their text need not be built. */
  final boolean full() {
    return causes.full();
  }

  /** Reports a cause that another check found, perhaps below this path. */
  public final void report(FieldCause cause) {
    causes.add(cause.reason(), cause.message(), cause.field());
  }

  /** The number of causes found so far in the whole object. */
  public final int causeCount() {
    return causes.count();
  }

  /**
   * Reports causes once more, as Kubernetes does where it validates twice.
   *
   * @param before how many causes there were before the first of them
   * @param after how many there were after the last of them
   */
  public final void repeatCauses(int before, int after) {
    causes.repeat(before, after);
  }

  /** The name of the field or the key of the entry, empty for others. */
  public final String name() {
    return name == null ? "" : name;
  }

  /** The path as messages have it, for example {@code spec.containers[0].name}. */
  public final String path() {
    StringBuilder text = new StringBuilder();
    appendPath(text);
    return text.toString();
  }

  private void appendPath(StringBuilder text) {
    if (parent == null) {
      return;
    }
    parent.appendPath(text);
    if (name == null) {
      text.append('[').append(index).append(']');
    } else if (isKey) {
      text.append('[').append(name).append(']');
    } else {
      text.append(text.isEmpty() ? "" : ".").append(name);
    }
  }

  /** The struct that the schema declares here; only where it does. */
  public final StructSchema struct() {
    if (type() instanceof StructSchema struct) {
      return struct;
    }
    throw new IllegalStateException("the schema has no struct at " + path());
  }

  /** The declared type; null where the schema does not know the path. */
  final @Nullable SchemaNode type() {
    if (parent == null) {
      return schema;
    }
    SchemaNode above = parent.type();
    return switch (above) {
      case StructSchema struct when name != null -> {
        Field field = struct.field(name);
        yield field == null ? null : field.type();
      }
      case SchemaNode.MapOf map when name != null -> map.value();
      case SchemaNode.ListOf list when name == null -> list.element();
      case null, default -> null;
    };
  }

  /** Reports that a value is required. */
  public final void required() {
    required("");
  }

  /** Reports that a value is required, and why. */
  public final void required(String detail) {
    add("FieldValueRequired", FieldErrors.required(detail));
  }

  /** Reports that the value is invalid, without showing it. */
  public final void wrong(String detail) {
    add("FieldValueInvalid", "Invalid value: " + detail);
  }

  /** Reports an invalid value that Go prints as null. */
  public final void invalidNull(String detail) {
    add("FieldValueInvalid", "Invalid value: null: " + detail);
  }

  /** Reports an invalid value that Go prints as an empty object. */
  public final void invalidPath(String detail) {
    add("FieldValueInvalid", "Invalid value: {}: " + detail);
  }

  /** Reports that the value is forbidden. */
  public final void forbidden(String detail) {
    add("FieldValueForbidden", "Forbidden: " + detail);
  }

  /** Reports that a check has failed. */
  public final void internalError(String detail) {
    add("InternalError", "Internal error: " + detail);
  }

  /** Reports {@code shown} as the duplicate, without quotes: a value that is no string. */
  public final void duplicateOf(String shown) {
    add("FieldValueDuplicate", FieldErrors.duplicate(shown, ""));
  }

  /** Reports {@code shown} as the duplicate. */
  public final void duplicate(String shown) {
    add("FieldValueDuplicate", FieldErrors.duplicate(GoQuote.quote(shown), ""));
  }

  /** Reports that {@code shown} does not exist. */
  public final void notFound(String shown, String detail) {
    add("FieldValueNotFound", FieldErrors.notFound(GoQuote.quote(shown), detail));
  }

  /** Reports that the value has more than {@code bytes} bytes. */
  public final void tooLong(int bytes) {
    add("FieldValueTooLong", FieldErrors.tooLong(bytes));
  }

  /** Reports {@code shown}, without quotes, as a value that is not supported. */
  public final void unsupportedAs(String shown, String... known) {
    add("FieldValueNotSupported", FieldErrors.unsupported(shown, FieldErrors.sorted(known)));
  }

  /** Reports that an absent value is not supported. */
  public final void unsupportedNull(String known) {
    add("FieldValueNotSupported", FieldErrors.unsupported("null", List.of(known)));
  }
}
