package dev.keelson.http.media;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which format a request is answered in and which its body has (contract, "Content negotiation"):
 * the best of the Accept header's ranges that can be served; ranges that ask for a conversion
 * ({@code as=}) that is not offered are passed over.
 */
public final class Negotiation {

  private static final List<Representation> OFFERED =
      Arrays.stream(Format.values())
          .flatMap(
              format -> format.mediaTypes().stream().map(type -> new Representation(format, type)))
          .toList();
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
  public static Representation accepted(ApiRequest request) {
    List<MediaType> ranges = ranges(request);
    if (ranges.isEmpty()) {
      return Representation.JSON;
    }
    for (MediaType range : ranges) {
      if (range.quality() > 0 && !range.parameters().containsKey("as")) {
        for (Representation offered : OFFERED) {
          if (offered.in(range) && !refused(offered, ranges)) {
            return offered;
          }
        }
      }
    }
    throw new ApiException(
        Reason.NOT_ACCEPTABLE, "only the following media types are accepted: " + TYPES);
  }

  /**
   * The media type of a watch: JSON, named as the client asked for it.
   *
   * @throws ApiException of reason NotAcceptable if the client accepts no watch in JSON
   */
  public static String acceptedForWatch(ApiRequest request) {
    List<MediaType> ranges = ranges(request);
    if (ranges.isEmpty()) {
      return Representation.JSON.mediaType();
    }
    for (MediaType range : ranges) {
      if (range.quality() > 0
          && !range.parameters().containsKey("as")
          && Representation.JSON.in(range)) {
        String stream = range.parameters().getOrDefault("stream", "");
        return stream.equals("watch")
            ? Representation.JSON.mediaType() + ";stream=watch"
            : Representation.JSON.mediaType();
      }
    }
    throw new ApiException(
        Reason.NOT_ACCEPTABLE,
        "only the following media types are accepted: application/json, application/json;stream=watch");
  }

  /** How to answer with an error: in JSON when the client accepts nothing that is offered. */
  public static Representation acceptedForError(ApiRequest request) {
    try {
      return accepted(request);
    } catch (ApiException nothingAccepted) {
      return Representation.JSON;
    }
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
   * Whether the client wants indented output: by {@code pretty}, or because a person looks at it
   * through a common tool.
   */
  public static boolean pretty(ApiRequest request) {
    if (request.query().has("pretty")) {
      return request.query().flag("pretty");
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
