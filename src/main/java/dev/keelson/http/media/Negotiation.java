package dev.keelson.http.media;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Query;
import dev.keelson.schema.ResourceDefinition;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Content negotiation (contract, "Content negotiation"): selects the best supported media range of
 * the Accept header for the response and the format of the request body. Ranges with an unsupported
 * view ({@code as=}) are skipped.
 */
public final class Negotiation {

  private static final List<Representation> OFFERED =
      Arrays.stream(Format.values())
          .flatMap(
              format -> format.mediaTypes().stream().map(type -> new Representation(format, type)))
          .toList();
  private static final String STREAM = ";stream=watch";
  private static final String WATCH_TYPES = Format.listed(format -> format != Format.YAML, STREAM);
  private static final String TYPES = Format.listed(_ -> true, "");
  private static final String CUSTOM_TYPES = Format.listed(format -> format != Format.PROTOBUF, "");

  /** Versions of meta types, such as Status. */
  private static final Set<String> SERVER_VERSIONS = Set.of("", "v1");

  /** The values that Go's {@code strconv.ParseBool} accepts as true. */
  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "True", "TRUE");

  /** Charsets in which ASCII text has the same bytes as in UTF-8. */
  private static final Set<String> UTF_8 = Set.of("", "utf-8", "utf8", "us-ascii");

  private Negotiation() {}

  /**
   * Negotiates the response.
   *
   * @throws ApiException of reason NotAcceptable if no supported type is acceptable
   */
  static Representation accepted(ApiRequest request) {
    Representation best = best(request, Use.OBJECTS);
    if (best == null) {
      throw new ApiException(
          Reason.NOT_ACCEPTABLE, "only the following media types are accepted: " + TYPES);
    }
    return best;
  }

  /**
   * Negotiates the response of objects of a resource. Custom resources have no form in protobuf;
   * their metadata has one.
   *
   * @throws ApiException of reason NotAcceptable if no supported type is acceptable
   */
  static Representation accepted(ApiRequest request, ResourceDefinition definition) {
    if (definition.custom() == null) {
      return accepted(request);
    }
    Representation best = best(request, Use.CUSTOM_OBJECTS);
    if (best == null) {
      throw new ApiException(
          Reason.NOT_ACCEPTABLE, "only the following media types are accepted: " + CUSTOM_TYPES);
    }
    return best;
  }

  /**
   * Negotiates a response that only has forms in JSON and YAML.
   *
   * @throws ApiException of reason NotAcceptable if neither is acceptable
   */
  public static Format text(ApiRequest request) {
    Representation best = best(request, Use.CUSTOM_OBJECTS);
    if (best == null || best.format() == Format.PROTOBUF) {
      throw new ApiException(
          Reason.NOT_ACCEPTABLE, "only the following media types are accepted: " + CUSTOM_TYPES);
    }
    return best.format();
  }

  /**
   * Checks that a response is acceptable before a write is executed.
   *
   * @throws ApiException of reason NotAcceptable if no supported type is acceptable
   */
  public static void check(ApiRequest request) {
    accepted(request);
  }

  /**
   * Checks that an answer without a table and without metadata alone is acceptable, such as a
   * review.
   *
   * @throws ApiException of reason NotAcceptable if no supported type is acceptable
   */
  public static void checkWhole(ApiRequest request) {
    if (best(request, Use.WHOLE) == null) {
      throw new ApiException(
          Reason.NOT_ACCEPTABLE, "only the following media types are accepted: " + TYPES);
    }
  }

  /**
   * Checks that objects of a resource are acceptable before a write is executed.
   *
   * @throws ApiException of reason NotAcceptable if no supported type is acceptable
   */
  public static void check(ApiRequest request, ResourceDefinition definition) {
    accepted(request, definition);
  }

  /**
   * Negotiates a watch; its media type has {@code stream=watch} for protobuf or if the client sent
   * it.
   *
   * @throws ApiException of reason NotAcceptable if no supported type is acceptable; it lists the
   *     watch types only if the types of objects are acceptable
   */
  static Representation acceptedForWatch(ApiRequest request) {
    accepted(request);
    return watch(best(request, Use.WATCH));
  }

  /**
   * Negotiates a watch of a resource as {@link #acceptedForWatch(ApiRequest)} does.
   *
   * @throws ApiException of reason NotAcceptable if no supported type is acceptable
   */
  static Representation acceptedForWatch(ApiRequest request, ResourceDefinition definition) {
    if (definition.custom() == null) {
      return acceptedForWatch(request);
    }
    accepted(request, definition);
    return watch(best(request, Use.CUSTOM_WATCH));
  }

  private static Representation watch(@Nullable Representation best) {
    if (best == null) {
      throw new ApiException(
          Reason.NOT_ACCEPTABLE, "only the following media types are accepted: " + WATCH_TYPES);
    }
    return best;
  }

  /** Negotiates an error: without views, and JSON if no supported type is acceptable. */
  static Representation acceptedForError(ApiRequest request) {
    Representation best = best(request, Use.WHOLE);
    return best == null ? Representation.JSON : best;
  }

  /** Negotiates a successful Status, to which no view applies. */
  static Representation acceptedForStatus(ApiRequest request) {
    Representation best = best(request, Use.OBJECTS);
    return best == null ? Representation.JSON : best.showing(View.Whole.WHOLE);
  }

  /** The kind of response. */
  private enum Use {
    OBJECTS,
    /** Errors and reviews have no views. */
    WHOLE,
    /** Watches have no YAML. */
    WATCH,
    /** Custom objects as a whole have no protobuf. */
    CUSTOM_OBJECTS,
    CUSTOM_WATCH;

    boolean isWatch() {
      return this == WATCH || this == CUSTOM_WATCH;
    }

    boolean isCustom() {
      return this == CUSTOM_OBJECTS || this == CUSTOM_WATCH;
    }
  }

  private static @Nullable Representation best(ApiRequest request, Use use) {
    List<MediaType> ranges = MediaType.accepted(request.headerValues("Accept"));
    for (MediaType range : ranges) {
      if (range.quality() > 0) {
        for (Representation offered : OFFERED) {
          if (offered.in(range) && !refused(offered, ranges)) {
            Representation fitting = fitting(offered, range, use);
            if (fitting != null && !(fitting.view() instanceof View.Table && lists(request))) {
              return fitting;
            }
          }
        }
      }
    }
    return null;
  }

  private static @Nullable Representation fitting(
      Representation offered, MediaType range, Use use) {
    View view = View.of(range, offered.format());
    String stream = range.parameter("stream");
    boolean yaml = offered.format() == Format.YAML;
    if (view == null
        || !SERVER_VERSIONS.contains(range.parameter("sv"))
        || (use == Use.WHOLE && view != View.Whole.WHOLE)
        || (use.isWatch() && yaml)
        || (use.isCustom() && offered.format() == Format.PROTOBUF && view == View.Whole.WHOLE)
        || (!stream.isEmpty() && (yaml || !stream.equals("watch")))) {
      return null;
    }
    // marks protobuf frames, which are not one object; JSON has no marker, as in Kubernetes
    boolean named = offered.format() == Format.PROTOBUF || !stream.isEmpty();
    return use.isWatch() && named
        ? new Representation(offered.format(), offered.mediaType() + STREAM, view)
        : offered.showing(view);
  }

  /**
   * Whether a watch begins with the list of objects, which Kubernetes does not show as tables: the
   * bookmark at its end has no table.
   */
  private static boolean lists(ApiRequest request) {
    Query query = request.query();
    return query.flag("sendInitialEvents") && query.flag("allowWatchBookmarks");
  }

  /** Whether the type is excluded with {@code q=0}, which overrides a wildcard. */
  private static boolean refused(Representation offered, List<MediaType> ranges) {
    for (MediaType range : ranges) {
      if (range.quality() == 0 && range.wildcards() == 0 && offered.in(range)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the format of the body; JSON by default.
   *
   * @throws ApiException of reason NotAcceptable if the media type is not supported (contract,
   *     "Errors": 406, not 415)
   */
  public static Format sent(ApiRequest request) {
    String header = request.header("Content-Type");
    if (header.isBlank()) {
      return Format.JSON;
    }
    MediaType type = MediaType.parse(header).orElseThrow(() -> unknownType(TYPES));
    for (Representation offered : OFFERED) {
      if (offered.mediaType().equals(type.essence())) {
        checkCharset(type, request.body());
        return offered.format();
      }
    }
    throw unknownType(TYPES);
  }

  /**
   * Bodies are decoded as UTF-8, as in Kubernetes; another charset is accepted only if it makes no
   * difference.
   */
  private static void checkCharset(MediaType type, byte[] body) {
    String charset = type.parameter("charset").toLowerCase(Locale.ROOT);
    if (UTF_8.contains(charset) || type.subtype().endsWith("protobuf")) {
      return;
    }
    for (byte b : body) {
      if (b < 0) {
        throw new ApiException(
            Reason.NOT_ACCEPTABLE,
            "the body of the request is in the charset " + charset + ", but must be in utf-8");
      }
    }
  }

  /**
   * Returns the media type of the body in lower case, without parameters; empty if absent.
   *
   * @throws ApiException of reason NotAcceptable if the body is in another charset than UTF-8
   */
  public static String sentType(ApiRequest request) {
    MediaType type = MediaType.parse(request.header("Content-Type")).orElse(null);
    if (type == null) {
      return request.header("Content-Type").strip();
    }
    checkCharset(type, request.body());
    return type.essence();
  }

  /** The error of an unsupported media type of a body (contract, "Errors": 406, not 415). */
  public static ApiException unknownType(String accepted) {
    return new ApiException(
        Reason.NOT_ACCEPTABLE,
        "the body of the request was in an unknown format - accepted media types include: "
            + accepted);
  }

  /**
   * Whether to indent the output: by {@code pretty} in the query or in the Accept header, or for a
   * browser or curl, as in Kubernetes.
   */
  public static boolean pretty(ApiRequest request) {
    for (String accept : request.headerValues("Accept")) {
      if (accept.contains("pretty=1")) {
        return true;
      }
    }
    String asked = request.query().first("pretty");
    if (!asked.isEmpty()) {
      return TRUE.contains(asked);
    }
    String agent = request.header("User-Agent");
    return agent.startsWith("curl") || agent.startsWith("Wget") || agent.startsWith("Mozilla/5.0");
  }
}
