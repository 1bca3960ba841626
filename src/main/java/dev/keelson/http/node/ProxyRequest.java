package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Body;
import dev.keelson.http.node.Locations.Place;
import dev.keelson.http.page.Links;
import dev.keelson.http.relay.Connections;
import dev.keelson.http.relay.EscapedPath;
import dev.keelson.http.relay.Outbound;
import dev.keelson.http.relay.PassedHeaders;
import dev.keelson.http.relay.ProxiedPath;
import dev.keelson.http.relay.UpgradeRequest;
import dev.keelson.http.verb.NodeConnection.Connect;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The subresource {@code proxy} of pods, services and nodes (source: {@code UpgradeAwareHandler}
 * and {@code proxy.Transport} of apimachinery).
 *
 * @param clients the connections
 */
record ProxyRequest(NodeClients clients) {

  /** A page from a pod must not open this server to other origins. */
  private static final Set<String> CROSS_ORIGIN =
      Set.of(
          "access-control-allow-credentials",
          "access-control-allow-headers",
          "access-control-allow-methods",
          "access-control-allow-origin");

  ApiResponse answer(Passing passing, Connect connect, Place place) {
    ApiRequest request = connect.exchange().request();
    boolean upgrade = passing.client().asksForUpgrade(request);
    String path = ProxiedPath.clean(connect.options().text("path"));
    String raw = rawQuery(request);
    if (!upgrade && path.isEmpty() && isRead(request.method())) {
      // links in the answer are relative to the path
      return new ApiResponse(
          301,
          List.of(new Header("Location", EscapedPath.of(request.path()) + "/" + raw)),
          Body.Payload.EMPTY);
    }
    String prefix = prefix(request.path(), path);
    String escaped = EscapedPath.of(path.isEmpty() ? "/" : path);
    MultiMap headers = PassedHeaders.request(request, upgrade);
    PassedHeaders.forwardedFor(headers, request);
    if (!upgrade) {
      headers.set("X-Forwarded-Uri", EscapedPath.of(prefix) + escaped);
      String host = request.header("host");
      headers.set("Host", host.isEmpty() ? Passing.authority(place.target()) : host);
    }
    Outbound.Head head =
        new Outbound.Head(request.method(), escaped + raw, headers, place.target());
    Connections pool = clients.of(place.way());
    if (upgrade) {
      return passing.upgraded(
          pool,
          head,
          UpgradeRequest.Switch.PASS,
          e -> Failures.plain("error dialing backend: " + Failures.text(e, place.target()), e));
    }
    ApiResponse answer =
        passing.plain(
            pool,
            head,
            e ->
                new ApiException(
                    Reason.SERVICE_UNAVAILABLE,
                    "error trying to reach service: " + Failures.text(e, place.target()),
                    ErrorDetails.NONE,
                    e));
    return passed(new Links(prefix, place.target(), request.header("host")).rewritten(answer));
  }

  private static boolean isRead(String method) {
    return method.equals("GET") || method.equals("HEAD");
  }

  private static String rawQuery(ApiRequest request) {
    int query = request.uri().indexOf('?');
    return query < 0 ? "" : request.uri().substring(query);
  }

  /** The path of the request up to what is passed on. */
  private static String prefix(String whole, String path) {
    String suffix = whole.endsWith("/") && !path.endsWith("/") ? path + "/" : path;
    return whole.endsWith(suffix) ? whole.substring(0, whole.length() - suffix.length()) : whole;
  }

  private static ApiResponse passed(ApiResponse answer) {
    List<Header> headers = new ArrayList<>();
    for (Header header : answer.headers()) {
      if (!CROSS_ORIGIN.contains(header.name().toLowerCase(Locale.ROOT))) {
        headers.add(header);
      }
    }
    return new ApiResponse(answer.status(), headers, answer.body());
  }
}
