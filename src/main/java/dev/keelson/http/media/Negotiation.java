package dev.keelson.http.media;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which format a request is answered in and which its body has (contract, "Content negotiation"):
 * the best of the Accept header's ranges that can be served; ranges that ask for a view ({@code
 * as=}) that there is not are passed over.
 */
public final class Negotiation {

  private static final List<Representation> OFFERED =
      Arrays.stream(Format.values())
          .flatMap(
              format -> format.mediaTypes().stream().map(type -> new Representation(format, type)))
          .toList();
  private static final String STREAM = ";stream=watch";
  private static final String WATCH_TYPES =
      OFFERED.stream()
          .filter(offered -> offered.format() != Format.YAML)
          .map(offered -> offered.mediaType() + STREAM)
          .collect(Collectors.joining(", ", "application/json, ", ""));
  private static final String TYPES =
      OFFERED.stream().map(Representation::mediaType).collect(Collectors.joining(", "));

  /** The client's first choice comes first; of equals the more exact, as in Kubernetes. */
  private static final Comparator<MediaType> PREFERENCE =
      Comparator.comparingDouble(MediaType::quality)
          .reversed()
          .thenComparingInt(MediaType::wildcards);

  private Negotiation() {}

  /**
   * How to answer.
   *
   * @throws ApiException of reason NotAcceptable if the client accepts none that is offered
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
   * Returns if the client accepts an answer, so that a write whose answer it would not take does
   * not happen.
   *
   * @throws ApiException of reason NotAcceptable if the client accepts nothing that is offered
   */
  public static void check(ApiRequest request) {
    accepted(request);
  }

  /**
   * How to send a watch; its media type says {@code stream=watch} where that is usual or the client
   * does.
   *
   * @throws ApiException of reason NotAcceptable if the client accepts no watch that is offered
   */
  static Representation acceptedForWatch(ApiRequest request) {
    Representation best = best(request, Use.WATCH);
    if (best == null) {
      throw new ApiException(
          Reason.NOT_ACCEPTABLE, "only the following media types are accepted: " + WATCH_TYPES);
    }
    return best;
  }

  /**
   * How to answer with an error: whole, and in JSON when the client accepts nothing that is
   * offered.
   */
  static Representation acceptedForError(ApiRequest request) {
    Representation best = best(request, Use.ERROR);
    return best == null ? Representation.JSON : best;
  }

  /** How to answer with the Status of a success, which no view changes. */
  static Representation acceptedForStatus(ApiRequest request) {
    Representation best = best(request, Use.OBJECTS);
    return best == null ? Representation.JSON : best.showing(View.Whole.WHOLE);
  }

  /** What is to be sent. */
  private enum Use {
    OBJECTS,
    /** Errors have no views. */
    ERROR,
    /** Watches have no YAML. */
    WATCH
  }

  private static @Nullable Representation best(ApiRequest request, Use use) {
    List<MediaType> ranges = ranges(request);
    if (ranges.isEmpty()) {
      return Representation.JSON;
    }
    for (MediaType range : ranges) {
      if (range.quality() > 0) {
        for (Representation offered : OFFERED) {
          if (offered.in(range) && !refused(offered, ranges)) {
            Representation fitting = fitting(offered, range, use);
            if (fitting != null) {
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
    String stream = range.parameters().getOrDefault("stream", "");
    boolean yaml = offered.format() == Format.YAML;
    if (view == null
        || (use == Use.ERROR && view != View.Whole.WHOLE)
        || (use == Use.WATCH && yaml)
        || (!stream.isEmpty() && (yaml || !stream.equals("watch")))) {
      return null;
    }
    // a frame of protobuf cannot be read as one object; JSON needs no hint, as in Kubernetes
    boolean named = offered.format() == Format.PROTOBUF || !stream.isEmpty();
    return use == Use.WATCH && named
        ? new Representation(offered.format(), offered.mediaType() + STREAM, view)
        : offered.showing(view);
  }

  /** Whether the type is named with {@code q=0}, which a wildcard beside it does not undo. */
  private static boolean refused(Representation offered, List<MediaType> ranges) {
    for (MediaType range : ranges) {
      if (range.quality() == 0 && range.wildcards() == 0 && offered.in(range)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The format of the body; JSON if the request does not say.
   *
   * @throws ApiException of reason NotAcceptable if it is none that is understood (contract,
   *     "Errors": 406, not 415)
   */
  public static Format sent(ApiRequest request) {
    String header = request.header("Content-Type");
    if (header.isBlank()) {
      return Format.JSON;
    }
    String essence = MediaType.parse(header).essence();
    for (Representation offered : OFFERED) {
      if (offered.mediaType().equals(essence)) {
        return offered.format();
      }
    }
    throw unknownType(TYPES);
  }

  /** The media type of the body in lower case, without parameters; empty if it is not said. */
  public static String sentType(ApiRequest request) {
    String header = request.header("Content-Type");
    return header.isBlank() ? "" : MediaType.parse(header).essence();
  }

  /** The error for a body of a type that is not taken here (contract, "Errors": 406, not 415). */
  public static ApiException unknownType(String accepted) {
    return new ApiException(
        Reason.NOT_ACCEPTABLE,
        "the body of the request was in an unknown format - accepted media types include: "
            + accepted);
  }

  /**
   * Whether the client wants indented output: by {@code pretty} in the query or in the Accept
   * header, or because a person looks at it through a common tool.
   */
  public static boolean pretty(ApiRequest request) {
    if (request.query().has("pretty")) {
      return request.query().flag("pretty");
    }
    for (String accept : request.headerValues("Accept")) {
      if (accept.contains("pretty=1")) {
        return true;
      }
    }
    String agent = request.header("User-Agent");
    return agent.startsWith("curl") || agent.startsWith("Wget") || agent.startsWith("Mozilla/5.0");
  }

  private static List<MediaType> ranges(ApiRequest request) {
    List<MediaType> ranges = new ArrayList<>();
    for (String value : request.headerValues("Accept")) {
      for (String range : value.split(",", -1)) {
        if (!range.isBlank()) {
          ranges.add(MediaType.parse(range));
        }
      }
    }
    ranges.sort(PREFERENCE);
    return ranges;
  }
}
