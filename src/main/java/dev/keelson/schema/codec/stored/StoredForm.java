package dev.keelson.schema.codec.stored;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.json.JsonOutput;
import dev.keelson.schema.codec.json.JsonTokens;
import dev.keelson.schema.codec.protobuf.Envelope;
import dev.keelson.schema.codec.tree.Canonical;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.Tokens.Token;
import dev.keelson.schema.codec.tree.TypedReader;
import java.util.Arrays;

/**
 * Objects at rest. What Keelson writes is compact JSON that begins with {@code apiVersion}, {@code
 * kind} and {@code metadata}, in this order, without {@code resourceVersion} (the store's revision
 * is it) and {@code selfLink}; {@link Splice} serves such bytes without parsing them. If it is
 * asked to, it writes protobuf as kube-apiserver does, equally without them. JSON and protobuf that
 * kube-apiserver wrote are read as well.
 */
public final class StoredForm {

  private static final int EXPECTED_BYTES = 2048;
  private static final Node FIRST_GENERATION = new Node.Int(1);

  private StoredForm() {}

  /** The storage media type. */
  public enum Medium {
    JSON,
    /** As kube-apiserver writes it; for types without a form in protobuf JSON. */
    PROTOBUF
  }

  /**
   * The bytes to store for an object.
   *
   * @param root the object with {@code apiVersion} and {@code kind}; it need not be in canonical
   *     form
   */
  public static byte[] encode(MapNode root, StructSchema schema, Medium medium) {
    return medium == Medium.PROTOBUF && hasWireForm(schema)
        ? protobuf(root, schema)
        : encode(root, schema);
  }

  /**
   * The end of the JSON in a stored value that can be served as it is.
   *
   * @param stored holds the value from {@code from} to {@code to}
   * @return -1 if the value is of a custom resource and was not pruned and filled in by the schema
   *     as it is now: it must be read through a tree
   */
  public static int servedEnd(StructSchema schema, byte[] stored, int from, int to) {
    SchemaNode.Declaration declaration = schema.declaration();
    if (declaration == null) {
      return to;
    }
    byte[] mark = declaration.mark();
    int end = to - mark.length;
    return end > from && Arrays.equals(stored, end, to, mark, 0, mark.length) ? end : -1;
  }

  /** Whether objects of a kind can be written in protobuf; custom resources cannot. */
  public static boolean hasWireForm(StructSchema schema) {
    Field metadata = schema.field("metadata");
    return metadata != null && metadata.number() > 0;
  }

  /** An object in the envelope, as kube-apiserver stores it. */
  private static byte[] protobuf(MapNode root, StructSchema schema) {
    MapNode metadata = root.map("metadata").without("resourceVersion").without("selfLink");
    return ObjectWriter.protobuf(Canonical.form(root.with("metadata", metadata), schema), schema);
  }

  /**
   * The bytes to store for an object in JSON.
   *
   * @param root the object with {@code apiVersion} and {@code kind}; it need not be in canonical
   *     form, but one of a custom resource must be pruned and filled in
   */
  public static byte[] encode(MapNode root, StructSchema schema) {
    JsonOutput out = json(root, schema);
    SchemaNode.Declaration declaration = schema.declaration();
    return declaration == null ? out.toBytes() : out.raw(declaration.mark()).toBytes();
  }

  /**
   * The bytes to store for an object of a custom resource that lacks defaults of {@code schema}:
   * they are filled in whenever it is read.
   *
   * @param root the object with {@code apiVersion} and {@code kind}, pruned
   */
  public static byte[] encodeIncomplete(MapNode root, StructSchema schema) {
    return json(root, schema).toBytes();
  }

  private static JsonOutput json(MapNode root, StructSchema schema) {
    MapNode object = Canonical.form(root, schema);
    JsonOutput out =
        new JsonOutput(EXPECTED_BYTES)
            .raw('{')
            .member("apiVersion", new Text(object.text("apiVersion")))
            .raw(',')
            .member("kind", new Text(object.text("kind")))
            .raw(',')
            .member(
                "metadata", object.map("metadata").without("resourceVersion").without("selfLink"));
    object.forEach(
        (key, value) -> {
          if (!key.equals("apiVersion") && !key.equals("kind") && !key.equals("metadata")) {
            out.raw(',').member(key, value);
          }
        });
    return out.raw('}');
  }

  /**
   * The object that {@code stored} holds, in canonical form, as it is stored: without
   * resourceVersion.
   *
   * @param schema of the kind that {@link #kindOf} returns
   * @throws DecodeException if the value is damaged
   */
  public static MapNode decode(byte[] stored, StructSchema schema) {
    MapNode root =
        Envelope.begins(stored)
            ? ObjectReader.protobuf(stored, schema, FieldValidation.IGNORE).root()
            : ObjectReader.storedJson(stored, schema);
    MapNode meta = root.map("metadata");
    // what a body would tell by an empty list of managers, a value does not
    MapNode plain =
        meta.get("managedFields") == TypedReader.NO_MANAGERS ? meta.without("managedFields") : meta;
    MapNode counted = schema.declaration() == null ? plain : withGeneration(plain);
    return counted == meta ? root : root.with("metadata", counted);
  }

  /** Every custom object has a generation, also one that was stored before there were any. */
  private static MapNode withGeneration(MapNode metadata) {
    return metadata.has("generation") ? metadata : metadata.with("generation", FIRST_GENERATION);
  }

  /**
   * The same with the revision as its resourceVersion.
   *
   * @param revision the store's revision of the object
   */
  public static MapNode decode(byte[] stored, StructSchema schema, long revision) {
    return withRevision(decode(stored, schema), schema, revision);
  }

  /** The object with {@code revision} as its resourceVersion, in canonical form. */
  public static MapNode withRevision(MapNode root, StructSchema schema, long revision) {
    MapNode meta = root.map("metadata").with("resourceVersion", new Text(Long.toString(revision)));
    Field field = schema.field("metadata");
    MapNode ordered =
        field != null && field.type() instanceof StructSchema type
            ? Canonical.form(meta, type)
            : meta;
    return root.with("metadata", ordered);
  }

  /**
   * The kind as which a value is stored.
   *
   * @throws DecodeException if the value is no JSON object or does not name its kind
   */
  public static GroupVersionKind kindOf(byte[] stored) {
    if (Envelope.begins(stored)) {
      Envelope envelope = Envelope.read(stored);
      return kind(envelope.apiVersion(), envelope.kind());
    }
    JsonTokens tokens = JsonTokens.of(stored);
    String apiVersion = "";
    String kind = "";
    if (tokens.next() == Token.OBJECT_START) {
      while ((apiVersion.isEmpty() || kind.isEmpty()) && tokens.next() != Token.OBJECT_END) {
        String name = tokens.text();
        boolean string = tokens.next() == Token.STRING;
        if (string && name.equals("apiVersion")) {
          apiVersion = tokens.text();
        } else if (string && name.equals("kind")) {
          kind = tokens.text();
        } else {
          tokens.skip();
        }
      }
    }
    return kind(apiVersion, kind);
  }

  private static GroupVersionKind kind(String apiVersion, String kind) {
    if (apiVersion.isEmpty() || kind.isEmpty()) {
      throw new DecodeException(
          Fault.ENCODING, "the stored value is no object with apiVersion and kind");
    }
    try {
      return GroupVersion.parse(apiVersion).kind(kind);
    } catch (IllegalArgumentException e) {
      throw new DecodeException(Fault.ENCODING, "the stored value has an " + e.getMessage());
    }
  }

  /** A member in front of everything, for example {@code "kind":"Pod",}. */
  static byte[] member(String key, String value) {
    return new JsonOutput(64).member(key, Node.text(value)).raw(',').toBytes();
  }
}
