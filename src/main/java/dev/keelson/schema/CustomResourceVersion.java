package dev.keelson.schema;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.Declaration;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.lang.ref.SoftReference;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One version of a custom resource: its declaration, its structural schema, and what other packages
 * derive from them. Immutable; safe for use by several threads.
 */
public final class CustomResourceVersion implements Declaration {

  private final CustomResource resource;
  private final String version;
  private final SchemaNode metadata;
  private volatile SoftReference<Loaded> loaded = new SoftReference<>(null);
  private volatile byte @Nullable [] mark;

  /** What is read and derived; released together when memory is short. */
  private record Loaded(
      MapNode declaration, StructuralSchema schema, Map<Class<?>, Object> derived) {}

  /**
   * A version.
   *
   * @param resource the definition that has it
   * @param version its name, for example {@code v1}
   * @param metadata the shape of the objects' metadata
   */
  public CustomResourceVersion(CustomResource resource, String version, SchemaNode metadata) {
    this.resource = resource;
    this.version = version;
    this.metadata = metadata;
  }

  /** The version that declares a struct; null for a built-in type. */
  public static @Nullable CustomResourceVersion of(StructSchema struct) {
    return struct.declaration() instanceof CustomResourceVersion version ? version : null;
  }

  /** The definition that the version belongs to. */
  public CustomResource resource() {
    return resource;
  }

  public String version() {
    return version;
  }

  /** The entry of {@code spec.versions}; empty if the definition has none of that name. */
  public MapNode declaration() {
    return loaded().declaration;
  }

  /**
   * The structural schema; open to everything if the version declares none or the definition
   * preserves unknown fields.
   */
  public StructuralSchema schema() {
    return loaded().schema;
  }

  /**
   * What documents say of the version.
   *
   * @param schema {@code schema.openAPIV3Schema}; empty if none is declared
   * @param preservesUnknownFields whether the definition keeps fields that no version declares
   * @param selectableFields {@code selectableFields}
   */
  public record Published(
      MapNode schema, boolean preservesUnknownFields, List<MapNode> selectableFields) {
    public Published {
      selectableFields = List.copyOf(selectableFields);
    }
  }

  /** What documents say of the version; is not kept. */
  public Published published() {
    MapNode spec = resource.passingSpec();
    MapNode entry = entry(spec);
    return new Published(
        entry.map("schema").map("openAPIV3Schema"),
        spec.get("preserveUnknownFields") == Node.Bool.TRUE,
        entry.maps("selectableFields"));
  }

  private MapNode entry(MapNode spec) {
    for (MapNode entry : spec.maps("versions")) {
      if (entry.text("name").equals(version)) {
        return entry;
      }
    }
    return MapNode.EMPTY;
  }

  @Override
  public List<Field> fields() {
    return CustomFields.of(schema(), metadata);
  }

  @Override
  public boolean openToUnknown() {
    return schema().preservesUnknownFields();
  }

  @Override
  public <T> T derived(Class<T> kind, Supplier<T> make) {
    Map<Class<?>, Object> derived = loaded().derived;
    Object known = derived.get(kind);
    if (known == null) {
      // not computeIfAbsent: to derive one value may need another
      Object made = make.get();
      Object raced = derived.putIfAbsent(kind, made);
      known = raced == null ? made : raced;
    }
    return kind.cast(known);
  }

  @Override
  public byte[] mark() {
    byte[] known = mark;
    if (known == null) {
      known = ShapeMark.of(schema());
      mark = known;
    }
    return known;
  }

  /**
   * Whether objects as another version of the same resource stores them are objects of this version
   * with nothing but another {@code apiVersion}.
   */
  public boolean servesShapeOf(StructSchema stored) {
    Declaration other = stored.declaration();
    String strategy = resource.conversionStrategy();
    return other != null && strategy.equals("None") && Arrays.equals(mark(), other.mark());
  }

  /**
   * The shape of another version of the same resource, which need not be served: objects may still
   * be stored in it.
   *
   * @return null if the definition has no such version
   */
  public @Nullable StructSchema sibling(String name) {
    boolean declared =
        resource.spec().maps("versions").stream()
            .anyMatch(entry -> entry.text("name").equals(name));
    return declared
        ? derived(Siblings.class, Siblings::new)
            .known()
            .computeIfAbsent(
                name,
                other ->
                    new StructSchema(
                        resource.name() + "." + other,
                        new CustomResourceVersion(resource, other, metadata)))
        : null;
  }

  /** Shapes of other versions by name. */
  private record Siblings(Map<String, StructSchema> known) {
    Siblings() {
      this(new ConcurrentHashMap<>());
    }
  }

  private Loaded loaded() {
    Loaded known = loaded.get();
    if (known == null) {
      known = load();
      loaded = new SoftReference<>(known);
    }
    return known;
  }

  private Loaded load() {
    MapNode spec = resource.spec();
    MapNode declaration = entry(spec);
    MapNode source = declaration.map("schema").map("openAPIV3Schema");
    boolean open = source.isEmpty() || spec.get("preserveUnknownFields") == Node.Bool.TRUE;
    StructuralSchema schema =
        StructuralSchema.of(
            open ? source.with("x-kubernetes-preserve-unknown-fields", Node.Bool.TRUE) : source);
    return new Loaded(declaration, schema, new ConcurrentHashMap<>());
  }

  @Override
  public String toString() {
    return resource.name() + "/" + version;
  }
}
