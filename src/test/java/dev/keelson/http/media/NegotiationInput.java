package dev.keelson.http.media;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.StatusCodes;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Bytes as a request: the values of Accept (one a tab), Content-Type, the query and the user agent
 * on a line each, and the body behind them. It is negotiated and its body is read; what is refused
 * is refused with a code below 500.
 */
public final class NegotiationInput {

  private static final GroupVersionKind KIND = new GroupVersionKind("", "v1", "ConfigMap");
  private static final StructSchema CONFIG_MAPS =
      ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.ConfigMap");
  private static final UserInfo NOBODY = new UserInfo("nobody", "", List.of(), Map.of());
  private static final List<String> LINES =
      List.of("accept", "content-type", "query", "user-agent");

  private static final BodyReader READER = new BodyReader(new ResourceCatalog(List.of()));

  private NegotiationInput() {}

  /** Negotiates the request that {@code data} is. */
  public static void check(byte[] data) {
    Map<String, List<String>> headers = new HashMap<>();
    String query = "";
    int at = 0;
    for (String line : LINES) {
      int end = at;
      while (end < data.length && data[end] != '\n') {
        end++;
      }
      String text = new String(data, at, end - at, StandardCharsets.ISO_8859_1);
      at = Math.min(end + 1, data.length);
      if (line.equals("query")) {
        query = text;
      } else if (!text.isEmpty()) {
        headers.put(line, List.of(text.split("\t", -1)));
      }
    }
    byte[] body = Arrays.copyOfRange(data, at, data.length);
    try {
      answer(query, headers, body);
    } catch (ApiException refused) {
      refused(refused);
    }
  }

  private static void answer(String query, Map<String, List<String>> headers, byte[] body) {
    ApiRequest request =
        new ApiRequest("POST", "/", Query.parse(query), headers, body, List.of(), "127.0.0.1");
    served(Negotiation.acceptedForError(request));
    served(Negotiation.acceptedForStatus(request));
    Negotiation.pretty(request);
    try {
      served(Negotiation.acceptedForWatch(request));
    } catch (ApiException refused) {
      refused(refused);
    }
    try {
      served(Negotiation.accepted(request));
    } catch (ApiException refused) {
      refused(refused);
    }
    try {
      Negotiation.sentType(request);
    } catch (ApiException refused) {
      refused(refused);
    }
    READER.object(
        new Exchange(
            request, new RequestInfo.NonResource("/", "post"), new RequestContext(NOBODY, "fuzz")),
        CONFIG_MAPS,
        KIND,
        Set.of());
  }

  private static void served(Representation representation) {
    if (!representation.mediaType().startsWith("application/")) {
      throw new IllegalStateException("nobody offers " + representation.mediaType());
    }
  }

  private static void refused(ApiException refused) {
    if (StatusCodes.of(refused.reason()) >= 500 || String.valueOf(refused.getMessage()).isBlank()) {
      throw new IllegalStateException("a client's mistake is told as the server's", refused);
    }
  }
}
