package dev.keelson.http.media;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.Spans;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.Decoded;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.TreeBudget;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decodes request bodies by their schema, with the error messages of Kubernetes' decoder. */
public final class BodyReader {

  private static final int SHOWN_BYTES = 30;

  /** Longer bodies are not looked at for {@code null}, in bytes. */
  private static final int LONGEST_NULL = 16;

  private static final byte[] EMPTY_OBJECT = {'{', '}'};

  /** Maximum bytes of a body without a kind in its error. */
  private static final int MOST_SHOWN = 2048;

  private static final String NO_PROTOBUF =
      "object *unstructured.Unstructured does not implement the protobuf marshalling interface and"
          + " cannot be encoded to a protobuf message";

  private final ForeignKinds foreign;

  /**
   * @param catalog tells which other kinds there are
   */
  public BodyReader(ResourceCatalog catalog) {
    this.foreign = new ForeignKinds(catalog);
  }

  /**
   * Decodes an object of the resource. A missing {@code kind} or {@code apiVersion} is inferred
   * from the path.
   *
   * @throws ApiException of reason BadRequest if the body is not such an object, or has unknown
   *     fields with strict validation; NotAcceptable if its media type is not supported
   */
  public ApiObject object(Exchange exchange, ResourceDefinition definition) {
    return object(exchange, definition, Set.of());
  }

  /**
   * Decodes an object of the resource that may have another version with the same schema.
   *
   * @throws ApiException as {@link #object(Exchange, ResourceDefinition)} does
   */
  public ApiObject object(
      Exchange exchange, ResourceDefinition definition, Set<String> otherApiVersions) {
    return object(exchange, definition.schema(), definition.gvk(), otherApiVersions);
  }

  /**
   * Decodes an object of a kind.
   *
   * @throws ApiException as {@link #object(Exchange, ResourceDefinition)} does
   */
  public ApiObject object(
      Exchange exchange,
      StructSchema schema,
      GroupVersionKind expected,
      Set<String> otherApiVersions) {
    MapNode root = decoded(exchange, schema, expected, otherApiVersions);
    ApiObject object = new ApiObject(root);
    if (schema.declaration() != null) {
      checkCustomType(object, expected, exchange.request().body());
      return object;
    }
    String apiVersion = meant(object.apiVersion(), expected);
    String kind = object.kind().isEmpty() ? expected.kind() : object.kind();
    if (!kind.equals(expected.kind()) || !otherApiVersions.contains(apiVersion)) {
      checkKind(apiVersion, kind, expected, exchange.request().body());
    }
    return object.withType(apiVersion, kind);
  }

  /**
   * Decodes the options of a request, such as DeleteOptions.
   *
   * @param kind the required kind, if the body has one
   * @throws ApiException as {@link #object} does
   */
  public MapNode options(ApiRequest request, StructSchema schema, String kind) {
    GroupVersionKind expected = new GroupVersionKind("", "v1", kind);
    MapNode options = read(request, schema, expected, FieldValidation.IGNORE).root();
    if (!options.text("kind").isEmpty() && !options.text("kind").equals(kind)) {
      throw unexpectedKind(
          options.text("apiVersion"),
          options.text("kind"),
          expected,
          "the body of the request takes objects of kind " + kind);
    }
    return options;
  }

  private MapNode decoded(
      Exchange exchange,
      StructSchema schema,
      GroupVersionKind expected,
      Set<String> otherApiVersions) {
    ApiRequest request = exchange.request();
    FieldValidation validation = fieldValidation(request);
    Decoded decoded = read(request, schema, expected, validation);
    Spans.event("Conversion done");
    if (!decoded.problems().isEmpty()) {
      if (schema.declaration() == null) {
        // an object of another kind is refused for that, not for fields that the expected one lacks
        ApiObject object = new ApiObject(decoded.root());
        String apiVersion = meant(object.apiVersion(), expected);
        String kind = object.kind().isEmpty() ? expected.kind() : object.kind();
        if (!kind.equals(expected.kind()) || !otherApiVersions.contains(apiVersion)) {
          GroupVersion unused = convertible(apiVersion, kind, expected, request.body());
        }
      }
      if (validation == FieldValidation.STRICT) {
        throw unhandled(decoded.root(), expected, decoded.strictMessage());
      }
      decoded.problems().forEach(exchange.context()::warn);
    }
    return decoded.root();
  }

  private static Decoded read(
      ApiRequest request,
      StructSchema schema,
      GroupVersionKind expected,
      FieldValidation validation) {
    Format format = Negotiation.sent(request);
    byte[] sent = request.body();
    Spans.event("limitedReadBody succeeded");
    Spans.event("About to convert to expected version");
    byte[] body = format == Format.JSON ? objectOf(sent) : sent;
    if (format == Format.PROTOBUF && schema.declaration() != null) {
      throw unhandled(MapNode.EMPTY, expected, NO_PROTOBUF);
    }
    TreeBudget budget = TreeBudget.forBody(body.length);
    try {
      return switch (format) {
        case JSON -> ObjectReader.json(body, schema, validation, budget);
        case YAML -> ObjectReader.yaml(body, schema, validation, budget);
        case PROTOBUF -> ObjectReader.protobuf(body, schema, validation, budget);
      };
    } catch (DecodeException e) {
      throw switch (e.fault()) {
        case SIZE -> new ApiException(Reason.REQUEST_ENTITY_TOO_LARGE, e.text());
        case SHAPE -> {
          String problem = TypeProblem.of(body, format);
          yield problem.isEmpty()
              ? unhandled(MapNode.EMPTY, expected, e.text())
              : unrecognized(
                  expected, "couldn't get version/kind; json parse error: " + problem, body);
        }
        case SYNTAX, LIMIT, ENCODING ->
            unrecognized(
                expected,
                (format == Format.PROTOBUF ? "" : "couldn't get version/kind; json parse error: ")
                    + e.text(),
                body);
      };
    }
  }

  /** As in Go, {@code null} is an object without fields. */
  private static byte[] objectOf(byte[] json) {
    return json.length < LONGEST_NULL
            && new String(json, StandardCharsets.UTF_8).strip().equals("null")
        ? EMPTY_OBJECT
        : json;
  }

  /**
   * Returns the fieldValidation of the request.
   *
   * @throws ApiException of reason Invalid for an unknown value
   */
  public static FieldValidation fieldValidation(ApiRequest request) {
    String word = request.query().first("fieldValidation");
    try {
      return FieldValidation.ofWord(word);
    } catch (IllegalArgumentException e) {
      String options =
          switch (request.method()) {
            case "POST" -> "CreateOptions";
            case "PATCH" -> "PatchOptions";
            default -> "UpdateOptions";
          };
      FieldCause cause =
          new FieldCause(
              "FieldValueNotSupported",
              "Unsupported value: \""
                  + word
                  + "\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"",
              "fieldValidation");
      throw ApiException.invalid(
          new GroupVersionKind("meta.k8s.io", "v1", options), "", List.of(cause));
    }
  }

  /** Completes an apiVersion without group, version or both. */
  private static String meant(String apiVersion, GroupVersionKind expected) {
    if (apiVersion.isEmpty()
        || apiVersion.equals("/")
        || (apiVersion.endsWith("/") && apiVersion.equals(expected.group() + "/"))) {
      return expected.apiVersion();
    }
    return apiVersion.startsWith("/") ? apiVersion.substring(1) : apiVersion;
  }

  private void checkKind(String apiVersion, String kind, GroupVersionKind expected, byte[] body) {
    if (!convertible(apiVersion, kind, expected, body).equals(GroupVersion.of(expected))) {
      throw otherVersion(apiVersion, expected);
    }
  }

  /** The version of an object of the expected kind, whichever it is; others are refused. */
  private GroupVersion convertible(
      String apiVersion, String kind, GroupVersionKind expected, byte[] body) {
    GroupVersion version;
    try {
      version = GroupVersion.parse(apiVersion);
    } catch (IllegalArgumentException e) {
      throw unrecognized(expected, e.getMessage(), body);
    }
    if (!kind.equals(expected.kind())
        || (!version.equals(GroupVersion.of(expected)) && !foreign.isKnown(version.kind(kind)))) {
      throw unexpectedKind(
          apiVersion, kind, expected, foreign.problem(version.kind(kind), expected));
    }
    return version;
  }

  /**
   * Checks the type of a custom object, which is not inferred. Another kind is no error of decoding
   * but an invalid value.
   */
  private static void checkCustomType(ApiObject object, GroupVersionKind expected, byte[] body) {
    String kind = object.kind();
    if (kind.isEmpty()) {
      String shown = new String(body, 0, Math.min(body.length, MOST_SHOWN), StandardCharsets.UTF_8);
      throw unrecognized(expected, "Object 'Kind' is missing in '" + shown + "'", body);
    }
    if (!object.apiVersion().equals(expected.apiVersion())) {
      throw otherVersion(object.apiVersion(), expected);
    }
    if (!kind.equals(expected.kind())) {
      throw ApiException.invalid(
          GroupVersion.of(expected).kind(kind),
          object.meta().name(),
          List.of(FieldCause.invalid("kind", kind, "must be " + expected.kind())));
    }
  }

  private static ApiException otherVersion(String apiVersion, GroupVersionKind expected) {
    return ApiException.badRequest(
        "the API version in the data ("
            + apiVersion
            + ") does not match the expected API version ("
            + expected.apiVersion()
            + ")");
  }

  /** The error of a body without a kind. */
  private static ApiException unrecognized(
      GroupVersionKind expected, @Nullable String why, byte[] body) {
    return ApiException.badRequest(
        "the object provided is unrecognized (must be of type "
            + expected.kind()
            + "): "
            + why
            + " ("
            + summary(body)
            + ")");
  }

  private static ApiException unexpectedKind(
      String apiVersion, String kind, GroupVersionKind expected, String why) {
    return ApiException.badRequest(
        kind
            + " in version \""
            + apiVersion.substring(apiVersion.indexOf('/') + 1)
            + "\" cannot be handled as a "
            + expected.kind()
            + ": "
            + why);
  }

  private static ApiException unhandled(MapNode root, GroupVersionKind expected, String why) {
    String kind = root.text("kind").isEmpty() ? expected.kind() : root.text("kind");
    return ApiException.badRequest(
        kind
            + " in version \""
            + expected.version()
            + "\" cannot be handled as a "
            + expected.kind()
            + ": "
            + why);
  }

  private static String summary(byte[] body) {
    if (body.length == 0) {
      return "<empty>";
    }
    int shown = Math.min(body.length, SHOWN_BYTES);
    String more = body.length > SHOWN_BYTES ? " ..." : "";
    return body[0] == '{'
        ? new String(body, 0, shown, StandardCharsets.UTF_8) + more
        : HexFormat.of().formatHex(body, 0, shown) + more;
  }
}
