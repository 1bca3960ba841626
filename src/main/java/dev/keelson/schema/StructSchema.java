package dev.keelson.schema;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object with declared fields. Identity counts: one instance a type. Safe for use by several
 * threads.
 *
 * <p>The fields are loaded on first use, so that a schema costs nothing until a request needs it
 * and types may contain themselves.
 */
public final class StructSchema implements SchemaNode {

  private final String name;
  private final String shortName;
  private final boolean atomic;
  private final boolean openToUnknown;
  private final Supplier<List<Field>> loader;
  private final @Nullable StructSchema declared;
  private volatile @Nullable Loaded loaded;

  private volatile @Nullable WireMessage wire;

  private record Loaded(List<Field> fields, Map<String, Integer> index) {}

  /**
   * A struct.
   *
   * @param name the full name as OpenAPI has it, for example {@code io.k8s.api.core.v1.PodSpec}
   * @param atomic whether server-side apply owns the struct as a whole
   * @param openToUnknown whether fields that are not declared are kept (custom resources with
   *     preserve-unknown-fields)
   * @param loader gives the fields in the order in which JSON writes them; called at least once, on
   *     first use
   */
  public StructSchema(
      String name, boolean atomic, boolean openToUnknown, Supplier<List<Field>> loader) {
    this.name = name;
    this.shortName = name.substring(name.lastIndexOf('.') + 1);
    this.atomic = atomic;
    this.openToUnknown = openToUnknown;
    this.loader = loader;
    this.declared = null;
  }

  private StructSchema(StructSchema declared) {
    this.name = declared.name;
    this.shortName = declared.shortName;
    this.atomic = false;
    this.openToUnknown = declared.openToUnknown;
    this.loader = declared::fields;
    this.declared = declared;
  }

  /** The same struct at a place where server-side apply owns it field by field. */
  public StructSchema granular() {
    return new StructSchema(this);
  }

  /** The struct as its type declares it: this one, or the one that it is a granular view of. */
  public StructSchema declared() {
    StructSchema type = declared;
    return type == null ? this : type;
  }

  /** The full name, for example {@code io.k8s.api.core.v1.PodSpec}. */
  public String name() {
    return name;
  }

  /** The last element of the name, which is the Go struct's name. */
  public String shortName() {
    return shortName;
  }

  public boolean atomic() {
    return atomic;
  }

  public boolean openToUnknown() {
    return openToUnknown;
  }

  /** The fields in the order in which JSON writes them. */
  public List<Field> fields() {
    return loaded().fields;
  }

  /** The position of the field in {@link #fields()}, or -1 if there is none of that JSON name. */
  public int indexOf(String jsonName) {
    return loaded().index.getOrDefault(jsonName, -1);
  }

  /** The field of that JSON name, or null. */
  public @Nullable Field field(String jsonName) {
    int position = indexOf(jsonName);
    return position < 0 ? null : fields().get(position);
  }

  /** The fields as the protobuf wire has them; made on first use. */
  public WireMessage wire() {
    WireMessage known = wire;
    if (known == null) {
      known = WireMessage.of(fields());
      wire = known;
    }
    return known;
  }

  private Loaded loaded() {
    Loaded known = loaded;
    if (known == null) {
      List<Field> fields = List.copyOf(loader.get());
      Map<String, Integer> index = new HashMap<>(fields.size() * 2);
      for (int i = 0; i < fields.size(); i++) {
        if (index.put(fields.get(i).name(), i) != null) {
          throw new IllegalStateException(name + " declares " + fields.get(i).name() + " twice");
        }
      }
      known = new Loaded(fields, index);
      loaded = known;
    }
    return known;
  }

  @Override
  public String toString() {
    return name;
  }
}
