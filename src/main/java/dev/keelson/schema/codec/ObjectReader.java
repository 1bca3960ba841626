package dev.keelson.schema.codec;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.json.JsonTokens;
import dev.keelson.schema.codec.protobuf.Envelope;
import dev.keelson.schema.codec.protobuf.ProtobufReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.Decoded;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.NodeTokens;
import dev.keelson.schema.codec.tree.Problems;
import dev.keelson.schema.codec.tree.Tokens;
import dev.keelson.schema.codec.tree.Tokens.Token;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.codec.tree.TypedReader;
import dev.keelson.schema.codec.tree.Untyped;
import dev.keelson.schema.codec.tree.UntypedReader;
import dev.keelson.schema.codec.yaml.JsonInYaml;
import dev.keelson.schema.codec.yaml.YamlDocument;
import dev.keelson.value.Utf8Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Decodes bytes to trees. Documents nest at most 512 deep; callers limit their size. */
public final class ObjectReader {

  private ObjectReader() {}

  /**
   * Reads a JSON document of a known type into canonical form: encoding the tree gives what
   * kube-apiserver prints for the same object.
   *
   * @param json in UTF-8
   * @throws DecodeException if it is no JSON, or a value has not the type that its field asks for
   */
  public static Decoded json(byte[] json, StructSchema schema, FieldValidation validation) {
    return json(json, schema, validation, TreeBudget.unbounded());
  }

  /**
   * Reads a JSON document as {@link #json(byte[], StructSchema, FieldValidation)} does.
   *
   * @throws DecodeException as there, and beyond the budget
   */
  public static Decoded json(
      byte[] json, StructSchema schema, FieldValidation validation, TreeBudget budget) {
    return typed(JsonTokens.of(json, budget), schema, validation);
  }

  /**
   * Reads a stored JSON document as {@link #json} does, without its problems. Fields of a custom
   * object's metadata that have the wrong type are dropped.
   *
   * @param json in UTF-8
   * @throws DecodeException if it is no JSON, or a value has not the type that its field asks for
   */
  public static MapNode storedJson(byte[] json, StructSchema schema) {
    try {
      return json(json, schema, FieldValidation.IGNORE).root();
    } catch (DecodeException e) {
      if (e.fault() != Fault.SHAPE || schema.declaration() == null) {
        throw e;
      }
      return TypedReader.atRest(JsonTokens.of(json)).document(schema);
    }
  }

  /**
   * Reads a YAML document as {@link #json} reads JSON, scalars by the rules of YAML 1.1 as
   * Kubernetes has them: a plain {@code yes} is a boolean, and wrong where a string belongs.
   *
   * @param yaml in UTF-8, or in UTF-16 behind a byte order mark; JSON is YAML too
   * @throws DecodeException if it is not one YAML document, aliases make it too large, or a value
   *     has not the type that its field asks for
   */
  public static Decoded yaml(byte[] yaml, StructSchema schema, FieldValidation validation) {
    return yaml(yaml, schema, validation, TreeBudget.unbounded());
  }

  /**
   * Reads a YAML document as {@link #yaml(byte[], StructSchema, FieldValidation)} does.
   *
   * @throws DecodeException as there, and beyond the budget
   */
  public static Decoded yaml(
      byte[] yaml, StructSchema schema, FieldValidation validation, TreeBudget budget) {
    YamlDocument document;
    try {
      document = YamlDocument.read(yaml, budget);
    } catch (DecodeException e) {
      if (e.fault() == Fault.SYNTAX && mayBeJson(yaml)) {
        return jsonInsteadOf(e, yaml, schema, validation, budget.again());
      }
      throw e;
    }
    Decoded decoded = tree(document.root(), schema, validation);
    if (validation == FieldValidation.IGNORE
        || (document.problems().isEmpty() && decoded.problems().size() < 2)) {
      return decoded;
    }
    List<String> problems = new ArrayList<>(document.problems());
    // Kubernetes makes JSON with sorted keys of it first
    problems.addAll(tree(sorted(document.root()), schema, validation).problems());
    return new Decoded(
        decoded.root(), problems.subList(0, Math.min(problems.size(), Problems.MOST)));
  }

  private static Node sorted(Node node) {
    return switch (node) {
      case MapNode map -> {
        Map<String, Node> entries = new TreeMap<>(Utf8Order::compare);
        map.forEach((key, value) -> entries.put(key, sorted(value)));
        yield MapNode.copyOf(entries);
      }
      case Node.Items items ->
          new Node.Items(items.values().stream().map(ObjectReader::sorted).toList());
      default -> node;
    };
  }

  /** Retries as JSON, which has a few forms that YAML lacks, such as escaped surrogate pairs. */
  private static Decoded jsonInsteadOf(
      DecodeException yamlFault,
      byte[] body,
      StructSchema schema,
      FieldValidation validation,
      TreeBudget budget) {
    try {
      return json(body, schema, validation, budget);
    } catch (DecodeException e) {
      throw e.fault() == Fault.SYNTAX ? yamlFault : e;
    }
  }

  private static boolean mayBeJson(byte[] body) {
    int at = 0;
    while (at < body.length && body[at] <= ' ' && body[at] >= 0) {
      at++;
    }
    return at < body.length && body[at] == '{';
  }

  /**
   * Reads an object in Kubernetes' protobuf envelope into the tree that {@link #json} makes of the
   * same object. Fields that the schema does not know are dropped silently, as in Kubernetes.
   *
   * @param validation for an envelope that holds JSON
   * @throws DecodeException of fault ENCODING if the envelope is broken; of another if the message
   *     in it is
   */
  public static Decoded protobuf(byte[] body, StructSchema schema, FieldValidation validation) {
    return protobuf(body, schema, validation, TreeBudget.unbounded());
  }

  /**
   * Reads an object as {@link #protobuf(byte[], StructSchema, FieldValidation)} does.
   *
   * @throws DecodeException as there, and beyond the budget
   */
  public static Decoded protobuf(
      byte[] body, StructSchema schema, FieldValidation validation, TreeBudget budget) {
    Envelope envelope = Envelope.read(body);
    Decoded decoded =
        switch (envelope.format()) {
          case PROTOBUF ->
              new Decoded(
                  ProtobufReader.object(body, envelope.from(), envelope.to(), schema, budget),
                  List.of());
          case JSON ->
              json(
                  Arrays.copyOfRange(body, envelope.from(), envelope.to()),
                  schema,
                  validation,
                  budget);
        };
    return new Decoded(envelope.typed(decoded.root(), schema), decoded.problems());
  }

  /**
   * Types a tree again, for example after a patch, as if it were encoded and decoded.
   *
   * @throws DecodeException if a value has not the type that its field asks for
   */
  public static Decoded tree(Node tree, StructSchema schema, FieldValidation validation) {
    return typed(new NodeTokens(tree), schema, validation);
  }

  /**
   * Types a tree that was made from a typed one, for example by a patch. Parts that both share, the
   * very same nodes under the same fields, are taken over as they are.
   *
   * @param typed a tree of the same schema in canonical form
   * @throws DecodeException if a value has not the type that its field asks for
   */
  public static Decoded tree(
      Node tree, MapNode typed, StructSchema schema, FieldValidation validation) {
    return tree(tree, typed, schema, validation, TypedReader.Rules.DECODER);
  }

  /**
   * Types a tree that was made from a typed one by strategic merge or by an apply. Kubernetes has
   * unstructured objects there, which it types by other rules than JSON.
   *
   * @param typed a tree of the same schema in canonical form
   * @throws DecodeException if a value has not the type that its field asks for
   */
  public static Decoded converted(
      Node tree, MapNode typed, StructSchema schema, FieldValidation validation) {
    return tree(tree, typed, schema, validation, TypedReader.Rules.CONVERTER);
  }

  private static Decoded tree(
      Node tree,
      MapNode typed,
      StructSchema schema,
      FieldValidation validation,
      TypedReader.Rules rules) {
    NodeTokens tokens = new NodeTokens(tree);
    return typed(tokens, new TypedReader(tokens, typed, validation, rules), schema);
  }

  /**
   * Reads any JSON value as it is: keys in their order, numbers as written; the last value of a
   * duplicate key.
   *
   * @param json in UTF-8
   * @throws DecodeException if it is no JSON
   */
  public static Node untypedJson(byte[] json) {
    return JsonTokens.of(json).document();
  }

  /**
   * Reads any JSON value as {@link #untypedJson(byte[])} does, and reports duplicate keys.
   *
   * @param json in UTF-8
   * @throws DecodeException if it is no JSON, or beyond the budget
   */
  public static Untyped untypedJson(byte[] json, FieldValidation validation, TreeBudget budget) {
    JsonTokens tokens = JsonTokens.of(json, budget);
    return validation == FieldValidation.IGNORE
        ? new Untyped(tokens.document(), List.of())
        : new UntypedReader(tokens).document();
  }

  /**
   * Reads any YAML document as the JSON tree that Kubernetes converts it to; the last value of a
   * duplicate key.
   *
   * @param yaml in UTF-8, or in UTF-16 behind a byte order mark
   * @throws DecodeException if it is not one YAML document, or aliases make it too large
   */
  public static Node untypedYaml(byte[] yaml) {
    return YamlDocument.read(yaml).root();
  }

  /**
   * Reads any YAML document as {@link #untypedYaml(byte[])} does, and reports duplicate keys:
   * {@code line 4: key "replicas" already set in map}.
   *
   * @param yaml in UTF-8, or in UTF-16 behind a byte order mark
   * @throws DecodeException if it is not one YAML document, aliases make it too large, or it is
   *     beyond the budget
   */
  public static Untyped untypedYaml(byte[] yaml, FieldValidation validation, TreeBudget budget) {
    if (mayBeJson(yaml)) {
      Node json = JsonInYaml.read(yaml, budget.again());
      if (json != null) {
        return new Untyped(json, List.of());
      }
    }
    YamlDocument document = YamlDocument.read(yaml, budget);
    return new Untyped(
        document.root(),
        validation == FieldValidation.IGNORE
            ? List.of()
            : document.problems().stream().limit(Problems.MOST).toList());
  }

  static Decoded typed(Tokens tokens, StructSchema schema, FieldValidation validation) {
    return typed(tokens, new TypedReader(tokens, validation), schema);
  }

  private static Decoded typed(Tokens tokens, TypedReader reader, StructSchema schema) {
    try {
      MapNode root = reader.document(schema);
      return new Decoded(root, reader.problems());
    } catch (DecodeException e) {
      if (e.fault() == Fault.SHAPE) {
        // a syntax error takes precedence over a type error, wherever it is
        while (tokens.next() != Token.END) {}
      }
      throw e;
    }
  }
}
