package dev.keelson.http.discovery;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Route;
import dev.keelson.http.media.MediaType;
import dev.keelson.schema.openapi.OpenApiDocument;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.OpenApiDocuments;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Serves {@code /openapi/v2}, {@code /openapi/v3} and the documents below it, with the caching
 * headers of kube-openapi's handlers: a URL with the current hash is cacheable for a year, another
 * hash is redirected to the current one. Safe for use by several threads; the first request of a
 * document blocks while it is built.
 */
public final class OpenApi implements Route {

  /**
   * RFC 9110, section 5.6.7; the JDK's RFC_1123_DATE_TIME writes a day before the 10th in one
   * digit.
   */
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final String JSON = "application/json";
  private static final String V3 = "/openapi/v3";

  private final OpenApiDocuments documents;
  private final InstantSource clock;

  /** The protobuf media types: Kubernetes accepts both and responds with the second. */
  private record Protobuf(String oldSubtype, String subtype) {
    static final Protobuf V2 = of("v2");
    static final Protobuf V3 = of("v3");

    static Protobuf of(String version) {
      String prefix = "com.github.proto-openapi.spec." + version;
      return new Protobuf(prefix + "@v1.0+protobuf", prefix + ".v1.0+protobuf");
    }

    String contentType() {
      return "application/" + subtype;
    }
  }

  /**
   * @param clock supplies the time for the Expires header
   */
  public OpenApi(OpenApiDocuments documents, InstantSource clock) {
    this.documents = documents;
    this.clock = clock;
  }

  /** The paths below which the documents stand. */
  public List<String> paths() {
    return List.of("/openapi/v2", V3, V3 + "/");
  }

  /**
   * Handles a request.
   *
   * @return empty if the method is not GET or the path is not served
   * @throws ApiException NotAcceptable if no supported type is acceptable
   */
  @Override
  public Optional<ApiResponse> answer(ApiRequest request) {
    return request.method().equals("GET")
        ? answer(
            request.path(),
            request.query().first("hash"),
            String.join(",", request.headerValues("Accept")),
            request.header("If-None-Match"))
        : Optional.empty();
  }

  @Override
  public boolean serves(String path) {
    String plainPath = withoutSlash(path);
    return plainPath.equals("/openapi/v2")
        || plainPath.equals(V3)
        || (plainPath.startsWith(V3 + "/")
            && documents.hasV3(plainPath.substring(V3.length() + 1)));
  }

  private static String withoutSlash(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /**
   * Handles a GET.
   *
   * @param path the request's path without the query; a slash at its end is ignored
   * @param hash the query's parameter {@code hash}, empty if there is none
   * @param accept the Accept header, empty if there is none
   * @param ifNoneMatch the If-None-Match header, empty if there is none
   * @return empty if there is no such document
   * @throws ApiException NotAcceptable if neither JSON nor protobuf is acceptable
   */
  Optional<ApiResponse> answer(String path, String hash, String accept, String ifNoneMatch) {
    String plainPath = withoutSlash(path);
    if (plainPath.equals("/openapi/v2")) {
      Format format = format(accept, Protobuf.V2);
      ApiResponse answer =
          answer(documents.v2(format), contentType(format, Protobuf.V2)).with("Vary", "Accept");
      return Optional.of(unlessKnown(answer, ifNoneMatch));
    }
    if (plainPath.equals(V3)) {
      return Optional.of(unlessKnown(answer(documents.v3Index(), JSON), ifNoneMatch));
    }
    return plainPath.startsWith(V3 + "/")
        ? part(plainPath.substring(V3.length() + 1), hash, accept, ifNoneMatch)
        : Optional.empty();
  }

  private Optional<ApiResponse> part(String name, String hash, String accept, String ifNoneMatch) {
    if (!documents.hasV3(name)) {
      return Optional.empty();
    }
    Format format = format(accept, Protobuf.V3);
    return documents
        .v3(name, format)
        .map(
            document -> {
              if (!hash.isEmpty() && !hash.equals(document.hash())) {
                return elsewhere(OpenApiDocument.url(name, document.hash()));
              }
              ApiResponse answer =
                  answer(document, contentType(format, Protobuf.V3)).with("Vary", "Accept");
              return unlessKnown(hash.isEmpty() ? answer : kept(answer), ifNoneMatch);
            });
  }

  private static ApiResponse answer(OpenApiDocument document, String contentType) {
    Payload body =
        new Payload(
            document.parts().stream()
                .map(part -> new Payload.Slice(part, 0, part.length))
                .toList());
    return ApiResponse.of(200, contentType, body).with("ETag", '"' + document.hash() + '"');
  }

  private static ApiResponse unlessKnown(ApiResponse answer, String ifNoneMatch) {
    return EntityTag.matches(ifNoneMatch, answer.header("ETag"))
        ? EntityTag.notModified(answer)
        : answer;
  }

  private ApiResponse kept(ApiResponse answer) {
    var inOneYear = clock.instant().atOffset(ZoneOffset.UTC).plusYears(1);
    return answer
        .with("Cache-Control", "public, immutable")
        .with("Expires", HTTP_DATE.format(inOneYear));
  }

  private static ApiResponse elsewhere(String url) {
    return new ApiResponse(
        301,
        List.of(new ApiResponse.Header("Location", url), new ApiResponse.Header("Vary", "Accept")),
        Payload.EMPTY);
  }

  private static String contentType(Format format, Protobuf protobuf) {
    return switch (format) {
      case JSON -> JSON;
      case PROTOBUF -> protobuf.contentType();
    };
  }

  private static Format format(String accept, Protobuf protobuf) {
    for (MediaType range : MediaType.wanted(accept)) {
      if (range.includes("application", "json")) {
        return Format.JSON;
      }
      if (range.includes("application", protobuf.subtype)
          || range.includes("application", protobuf.oldSubtype)) {
        return Format.PROTOBUF;
      }
    }
    throw new ApiException(
        Reason.NOT_ACCEPTABLE,
        "only the following media types are accepted: " + JSON + ", " + protobuf.contentType());
  }
}
