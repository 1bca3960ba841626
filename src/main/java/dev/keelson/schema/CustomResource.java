package dev.keelson.schema;

import dev.keelson.object.Node.MapNode;
import java.lang.ref.SoftReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A CustomResourceDefinition as far as its resources need it. Costs little until a request needs
 * the schema: the definition's tree is read on first use, kept as long as there is memory to spare,
 * and read again. Immutable; safe for use by several threads.
 */
public final class CustomResource {

  private final String name;
  private final String uid;
  private final long generation;
  private final long created;
  private final Supplier<MapNode> reader;
  private volatile String conversionStrategy = "";
  private volatile SoftReference<MapNode> tree = new SoftReference<>(null);

  /**
   * A definition.
   *
   * @param name the name of the CustomResourceDefinition: {@code PLURAL.GROUP}
   * @param uid its uid
   * @param reader reads its tree in version {@code apiextensions.k8s.io/v1}; may be called again
   */
  public CustomResource(String name, String uid, Supplier<MapNode> reader) {
    this(name, uid, 0, reader);
  }

  /**
   * A definition.
   *
   * @param generation {@code metadata.generation}, which rises with every change of the spec
   */
  public CustomResource(String name, String uid, long generation, Supplier<MapNode> reader) {
    this(name, uid, generation, 0, reader);
  }

  /**
   * A definition.
   *
   * @param created the revision of the store at which it was created
   */
  public CustomResource(
      String name, String uid, long generation, long created, Supplier<MapNode> reader) {
    this.name = name;
    this.uid = uid;
    this.generation = generation;
    this.created = created;
    this.reader = reader;
  }

  public String name() {
    return name;
  }

  public String uid() {
    return uid;
  }

  /** The generation of the spec; 0 if it is not known. */
  public long generation() {
    return generation;
  }

  /** The revision of the store at which it was created; 0 if it is not known. */
  public long created() {
    return created;
  }

  /** How objects are converted between versions: {@code None} or {@code Webhook}. */
  public String conversionStrategy() {
    String known = conversionStrategy;
    if (known.isEmpty()) {
      String declared = passingSpec().map("conversion").text("strategy");
      known = declared.isEmpty() ? "None" : declared;
      conversionStrategy = known;
    }
    return known;
  }

  /**
   * The spec of the definition, read for the caller alone unless it is known: memory does not grow
   * with the definitions that are read in this way.
   */
  MapNode passingSpec() {
    MapNode known = tree.get();
    return (known == null ? reader.get() : known).map("spec");
  }

  /** Whether a webhook converts objects between versions. */
  public boolean isConvertedByWebhook() {
    return conversionStrategy().equals("Webhook");
  }

  /** The spec of the definition. */
  public MapNode spec() {
    @Nullable MapNode known = tree.get();
    if (known == null) {
      known = reader.get();
      tree = new SoftReference<>(known);
    }
    return known.map("spec");
  }
}
