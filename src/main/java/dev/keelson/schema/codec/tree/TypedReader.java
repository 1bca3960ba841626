package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Field.Presence;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.EmbeddedMetadata.Malformed;
import dev.keelson.schema.codec.tree.Tokens.Token;
import dev.keelson.schema.structural.Pruning;
import dev.keelson.schema.structural.UnknownFields;
import dev.keelson.value.GoDuration;
import dev.keelson.value.Quantity;
import dev.keelson.value.Timestamp;
import dev.keelson.value.Timestamp.Precision;
import dev.keelson.value.ValueFormatException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one document into a tree in canonical order. Used once, by one thread.
 *
 * <p>It does what Go's decoder with Kubernetes' types does (sigs.k8s.io/json): names are
 * case-sensitive, {@code null} leaves a value as if it had not been sent, numbers for integers have
 * neither point nor exponent. What an encoder would not print (empty values of {@code omitempty}
 * fields) is dropped here already, and what it would print unasked is added, so that a tree's JSON
 * is simply its nodes in order.
 */
public final class TypedReader {

  /** Managed fields that a write asks to forget. */
  public static final Items NO_MANAGERS = new Items(List.of(MapNode.EMPTY));

  /** By which of Kubernetes' two ways a tree becomes a typed object. */
  public enum Rules {
    /** As its JSON decoder types a document. */
    DECODER,

    /**
     * As its converter types an unstructured object: whole numbers may have a point, and errors
     * name no field (source: apimachinery's runtime/converter.go).
     */
    CONVERTER
  }

  private final Tokens tokens;

  /** Unknown and duplicate fields; null if they are ignored. */
  private final @Nullable Problems problems;

  /** The tokens and the typed tree that theirs was made from; null if there is none. */
  private final @Nullable NodeTokens nodes;

  private final MapNode typed;

  private final FieldPath path;

  private final Malformed malformed;

  private final Rules rules;

  private final UnstructuredReader unstructured;

  /** The problems of unknown fields of custom objects, which come after all duplicate ones. */
  private final Problems unknown = new Problems();

  /** Whether the metadata of a custom object is being read. */
  private boolean inCustomMetadata;

  /** The struct whose field is being read, which Go's messages name; empty at the root. */
  private String struct = "";

  public TypedReader(Tokens tokens, FieldValidation validation) {
    this(tokens, null, MapNode.EMPTY, validation, Malformed.REJECTED, Rules.DECODER);
  }

  /**
   * Reads a stored custom object: fields of metadata that have the wrong type are dropped, since
   * they were not always checked.
   */
  public static TypedReader atRest(Tokens tokens) {
    return new TypedReader(
        tokens, null, MapNode.EMPTY, FieldValidation.IGNORE, Malformed.DROPPED, Rules.DECODER);
  }

  /** Reads a tree; the parts of {@code typed} that it still has are what they were. */
  public TypedReader(NodeTokens tokens, MapNode typed, FieldValidation validation, Rules rules) {
    this(tokens, tokens, typed, validation, Malformed.REJECTED, rules);
  }

  private TypedReader(
      Tokens tokens,
      @Nullable NodeTokens nodes,
      MapNode typed,
      FieldValidation validation,
      Malformed malformed,
      Rules rules) {
    this.tokens = tokens;
    this.nodes = nodes;
    this.typed = typed;
    this.path = new FieldPath();
    this.problems = validation == FieldValidation.IGNORE ? null : new Problems();
    this.malformed = malformed;
    this.rules = rules;
    this.unstructured = new UnstructuredReader(tokens, path, problems);
  }

  /** Reads a part that stands at {@code path}. */
  private TypedReader(Tokens tokens, FieldPath path, @Nullable Problems problems) {
    this.tokens = tokens;
    this.nodes = null;
    this.typed = MapNode.EMPTY;
    this.path = path;
    this.problems = problems;
    this.malformed = Malformed.REJECTED;
    this.rules = Rules.DECODER;
    this.unstructured = new UnstructuredReader(tokens, path, problems);
  }

  /** Reads the whole document; anything behind it is an error. */
  public MapNode document(StructSchema schema) {
    if (tokens.next() == Token.END) {
      throw new DecodeException(Fault.SYNTAX, "unexpected end of JSON input");
    }
    MapNode root = object(schema, typed);
    if (tokens.next() != Token.END) {
      throw new DecodeException(Fault.SYNTAX, "unexpected data after top-level value");
    }
    return root;
  }

  /** The unknown and duplicate fields, as {@link Decoded} has them. */
  public List<String> problems() {
    if (problems == null) {
      return List.of();
    }
    unknown.texts().forEach(problems::add);
    return List.copyOf(problems.texts());
  }

  /** A value where {@code null} is not one. */
  private Node value(SchemaNode type) {
    return switch (type) {
      case StructSchema schema -> object(schema, MapNode.EMPTY);
      case ListOf list -> list(list);
      case MapOf map -> map(map);
      case Scalar scalar -> scalar(scalar);
      case Free free -> FreeJson.of(free, tokens.free());
      case SchemaNode.Union union -> union(union);
      case SchemaNode.Structural _ -> unstructured.value();
    };
  }

  /** An object, which was made from {@code before}. */
  private MapNode object(StructSchema schema, MapNode before) {
    require(Token.OBJECT_START, schema);
    CustomResourceVersion custom = CustomResourceVersion.of(schema);
    if (custom != null) {
      return custom(schema, custom, before);
    }
    String outer = struct;
    struct = schema.shortName();
    List<Field> fields = schema.fields();
    @Nullable Node[] values = new Node[fields.size()];
    boolean[] seen = new boolean[fields.size()];
    MapNode.@Nullable Builder open = null;
    while (tokens.next() != Token.OBJECT_END) {
      String name = tokens.text();
      int position = schema.indexOf(name);
      tokens.next();
      if (position >= 0) {
        if (seen[position]) {
          problem("duplicate", name);
        }
        seen[position] = true;
        Field field = fields.get(position);
        Node known = before.get(name);
        if (known != null && nodes != null && nodes.value() == known) {
          values[position] = known;
          nodes.leap();
        } else {
          path.field(field.name());
          field(field, values, position, known);
          path.pop();
        }
      } else if (schema.openToUnknown()) {
        open = open == null ? MapNode.builder(4) : open;
        open.put(name, tokens.free());
      } else {
        problem("unknown", name);
        tokens.skip();
      }
    }
    struct = outer;
    return Slots.object(schema, values, open == null ? MapNode.EMPTY : open.build());
  }

  /**
   * An object of a custom resource: its metadata is typed, all else is read as it is and pruned.
   */
  private MapNode custom(StructSchema schema, CustomResourceVersion version, MapNode before) {
    List<Field> fields = schema.fields();
    @Nullable Node[] values = new Node[fields.size()];
    boolean[] seen = new boolean[fields.size()];
    SortedEntries open = new SortedEntries();
    while (tokens.next() != Token.OBJECT_END) {
      String name = tokens.text();
      int position = schema.indexOf(name);
      tokens.next();
      if (position >= 0 ? seen[position] : open.has(name)) {
        problem("duplicate", name);
      }
      Node known = before.get(name);
      path.field(name);
      if (position < 0) {
        open.add(name, unstructured.value());
      } else {
        seen[position] = true;
        if (known != null && nodes != null && nodes.value() == known) {
          values[position] = known;
          nodes.leap();
        } else if (fields.get(position).type() instanceof SchemaNode.Structural) {
          values[position] = unstructured.value();
        } else if (malformed == Malformed.DROPPED
            && name.equals("metadata")
            && tokens.current() == Token.OBJECT_START) {
          values[position] = embedded(schema, null).form((MapNode) unstructured.value());
        } else {
          metadata(fields.get(position), values, position, known);
        }
      }
      path.pop();
    }
    MapNode root = Slots.object(schema, values, open.build());
    return pruned(root, schema, version);
  }

  private MapNode pruned(MapNode read, StructSchema schema, CustomResourceVersion version) {
    if (problems == null) {
      return embedding(Pruning.object(read, version.schema()), schema, version, null);
    }
    UnknownFields pruned = new UnknownFields();
    MapNode kept = Pruning.object(read, version.schema(), pruned);
    pruned.sorted().forEach(path -> unknown.add(unknownField(path)));
    Problems embedded = new Problems();
    MapNode root = embedding(kept, schema, version, embedded);
    embedded.texts().stream().sorted().forEach(unknown::add);
    return root;
  }

  private MapNode embedding(
      MapNode root,
      StructSchema schema,
      CustomResourceVersion version,
      @Nullable Problems embedded) {
    if (!EmbeddedMetadata.isIn(version)) {
      return root;
    }
    return embedded(schema, embedded).in(root, version.schema());
  }

  private EmbeddedMetadata embedded(StructSchema schema, @Nullable Problems found) {
    return new EmbeddedMetadata(
        (metadata, at, problem) -> metadata(metadata, schema, at, problem), malformed, found);
  }

  /**
   * Types metadata that stands anywhere.
   *
   * @param custom the struct whose field {@code metadata} has the shape
   */
  static MapNode metadata(
      MapNode metadata, StructSchema custom, FieldPath path, @Nullable Problems problems) {
    Field field = custom.field("metadata");
    if (field == null || !(field.type() instanceof StructSchema type)) {
      return metadata;
    }
    NodeTokens tokens = new NodeTokens(metadata);
    tokens.next();
    return new TypedReader(tokens, path, problems).object(type, MapNode.EMPTY);
  }

  /** The type or the metadata of a custom object, of which Go's messages name no outer struct. */
  private void metadata(Field field, @Nullable Node[] values, int position, @Nullable Node before) {
    inCustomMetadata = true;
    path.hide();
    field(field, values, position, before);
    path.show();
    inCustomMetadata = false;
  }

  private void field(Field field, @Nullable Node[] values, int position, @Nullable Node before) {
    if (tokens.current() == Token.NULL) {
      // null clears a pointer, a list or a map that stood before, and leaves other values
      if (field.presence() == Presence.POINTER
          || field.presence() == Presence.NULLABLE
          || field.type() instanceof ListOf
          || field.type() instanceof MapOf) {
        values[position] = null;
      }
      return;
    }
    Node value =
        field.type() instanceof StructSchema schema && before instanceof MapNode known
            ? object(schema, known)
            : value(field.type());
    // Go's zero time, which prints as null
    values[position] = value == Null.NULL ? null : forgetful(value);
  }

  /**
   * An empty list is the same as none, except that an empty list of managed fields clears them. It
   * is represented as a single empty entry, which trees and encoders keep.
   */
  private Node forgetful(Node value) {
    return value == Items.EMPTY && path.is("metadata", "managedFields") ? NO_MANAGERS : value;
  }

  /** Kubernetes decodes it apart from the rest, so that unknown fields in it are not reported. */
  private Node union(SchemaNode.Union union) {
    SchemaNode shape = UnionTokens.shape(union, tokens);
    Node value = shape == null ? Null.NULL : new TypedReader(tokens, path, null).value(shape);
    return value == Items.EMPTY ? Null.NULL : value;
  }

  private Items list(ListOf list) {
    require(Token.ARRAY_START, list);
    if (tokens.next() == Token.ARRAY_END) {
      return Items.EMPTY;
    }
    List<Node> values = new ArrayList<>();
    do {
      path.index(values.size());
      values.add(element(list.element()));
      path.pop();
    } while (tokens.next() != Token.ARRAY_END);
    return new Items(values);
  }

  private MapNode map(MapOf map) {
    require(Token.OBJECT_START, map);
    SortedEntries entries = new SortedEntries();
    while (tokens.next() != Token.OBJECT_END) {
      String key = tokens.text();
      tokens.next();
      if (entries.has(key)) {
        problem("duplicate", key);
      }
      path.key(key);
      Node value = element(map.value());
      path.pop();
      entries.add(key, value);
    }
    return entries.build();
  }

  private Node element(SchemaNode type) {
    return tokens.current() == Token.NULL ? Slots.zeroElement(type) : value(type);
  }

  private Node scalar(Scalar type) {
    try {
      return scalarOf(type);
    } catch (ValueFormatException e) {
      throw new DecodeException(Fault.SHAPE, e.text());
    }
  }

  private Node scalarOf(Scalar type) {
    return switch (type) {
      case STRING -> new Text(string(type));
      case BOOL -> bool();
      case INT32 -> integer(type, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case INT64 -> integer(type, Long.MIN_VALUE, Long.MAX_VALUE);
      case UINT32 -> integer(type, 0, 0xFFFF_FFFFL);
      case UINT64 -> fitting(Numbers.unsigned(tokens), type);
      case DOUBLE -> fitting(Numbers.floating(tokens), type);
      case BYTES -> new Text(base64(type));
      case TIME -> time(type, Precision.SECONDS);
      case MICRO_TIME -> time(type, Precision.MICROS);
      case DURATION -> new Text(GoDuration.parse(string(type)).toString());
      case INT_OR_STRING ->
          tokens.current() == Token.STRING
              ? new Text(tokens.text())
              : integer(type, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case QUANTITY -> quantity();
    };
  }

  private String string(Scalar type) {
    require(Token.STRING, type);
    return tokens.text();
  }

  private String base64(Scalar type) {
    String text = string(type);
    try {
      return Base64Text.normalise(text);
    } catch (DecodeException e) {
      throw rules == Rules.DECODER
          ? e
          : new DecodeException(Fault.SHAPE, "error decoding from json: " + e.text());
    }
  }

  private Bool bool() {
    return switch (tokens.current()) {
      case TRUE -> Bool.TRUE;
      case FALSE -> Bool.FALSE;
      default -> throw mismatch(Scalar.BOOL);
    };
  }

  private Node integer(Scalar type, long low, long high) {
    boolean whole = rules == Rules.CONVERTER && type != Scalar.INT_OR_STRING;
    Node exact = Numbers.integer(tokens, low, high);
    return fitting(exact == null && whole ? Numbers.whole(tokens, low, high) : exact, type);
  }

  private Node fitting(@Nullable Node number, Scalar type) {
    if (number != null) {
      return number;
    }
    Token token = tokens.current();
    boolean named = token == Token.INT || token == Token.DECIMAL;
    throw named && rules == Rules.DECODER
        ? mismatch("number " + tokens.text(), GoTypes.name(type))
        : mismatch(type);
  }

  private Node time(Scalar type, Precision precision) {
    String time = Timestamp.canonical(string(type), precision);
    return Timestamp.isZero(time) ? Null.NULL : new Text(time);
  }

  /** A number counts as the quantity that its text is. */
  private Node quantity() {
    return switch (tokens.current()) {
      case STRING, INT, DECIMAL -> new Text(Quantity.canonical(tokens.text().strip()));
      default -> new Text(Quantity.canonical("not a number"));
    };
  }

  private void require(Token token, SchemaNode type) {
    if (tokens.current() != token) {
      throw mismatch(type);
    }
  }

  private DecodeException mismatch(SchemaNode type) {
    return rules == Rules.CONVERTER
        ? new DecodeException(Fault.SHAPE, ConverterWords.mismatch(type, tokens))
        : mismatch(GoTypes.described(tokens.current()), GoTypes.name(type));
  }

  private DecodeException mismatch(String found, String goType) {
    String fields = path.fields();
    return new DecodeException(
        Fault.SHAPE,
        "json: cannot unmarshal "
            + found
            + (fields.isEmpty()
                ? " into Go value"
                : " into Go struct field " + struct + "." + fields)
            + " of type "
            + goType);
  }

  private void problem(String what, String name) {
    if (problems == null || problems.full()) {
      return;
    }
    if (inCustomMetadata && what.equals("unknown")) {
      unknown.add(unknownField(path.with(name)));
    } else {
      problems.add(what + " field \"" + path.with(name) + "\"");
    }
  }

  private static String unknownField(String path) {
    return "unknown field \"" + path + "\"";
  }
}
