package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.node.Locations.Place;
import dev.keelson.http.relay.Connections;
import dev.keelson.http.relay.Outbound;
import dev.keelson.http.relay.PassedHeaders;
import dev.keelson.http.relay.UpgradeRequest;
import dev.keelson.http.stream.AnsweredCommand;
import dev.keelson.http.stream.Channels;
import dev.keelson.http.stream.TranslatedStreams;
import dev.keelson.http.stream.TunnelledForward;
import dev.keelson.http.stream.WebSocketHandshake;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.DecodeException;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The streams of a kubelet in the protocol of the client, or in SPDY for a client that speaks
 * WebSocket (source: {@code streamtranslator.go}, {@code streamtunnel.go} of apiserver).
 *
 * @param passing the client's request
 * @param uri the path and the query of the kubelet
 */
record KubeletStreams(
    Passing passing, ApiRequest request, Connections pool, Place place, String uri) {

  private static final String SPDY = "SPDY/3.1";
  private static final String PROTOCOLS = "X-Stream-Protocol-Version";

  /** The kubelet speaks the client's protocol. */
  ApiResponse passed() {
    MultiMap headers = PassedHeaders.request(request, /* upgrade= */ true);
    PassedHeaders.forwardedFor(headers, request);
    return passing.upgraded(
        pool,
        new Outbound.Head(request.method(), uri, headers, place.target()),
        UpgradeRequest.Switch.PASS,
        e -> Failures.plain("error dialing backend: " + Failures.text(e, place.target()), e));
  }

  /**
   * Exec and attach by SPDY for a client that speaks version 5 over WebSocket. The client has its
   * WebSocket before the kubelet is asked, so that errors are told on the error channel.
   */
  ApiResponse translated(Channels channels) {
    WebSocketHandshake.check(request);
    MultiMap headers = spdy(MultiMap.caseInsensitiveMultiMap());
    headers.add(PROTOCOLS, "v5.channel.k8s.io").add(PROTOCOLS, "v4.channel.k8s.io");
    byte[] broken =
        internalError("error reading from error stream: the connection to the kubelet broke");
    ApiResponse answer;
    try {
      answer =
          passing.upgraded(
              pool,
              new Outbound.Head("POST", uri, headers, place.target()),
              (server, _, first) ->
                  accepted(new TranslatedStreams(server, first, channels, broken)),
              e ->
                  Failures.plain(
                      "error sending request: Post \"https://"
                          + Passing.authority(place.target())
                          + uri
                          + "\": "
                          + Failures.text(e, place.target()),
                      e));
    } catch (ApiException e) {
      return refused(internalError(Objects.requireNonNull(e.text())));
    }
    return answer.status() == 101 ? answer : refused(status(answer));
  }

  private ApiResponse accepted(Body.Upgraded streams) {
    return WebSocketHandshake.accepted(request, TranslatedStreams.PROTOCOL, streams);
  }

  private ApiResponse refused(byte[] status) {
    return accepted(new AnsweredCommand(Buffer.buffer(), Buffer.buffer(status)));
  }

  /** What a kubelet says that does not switch protocols: a Status, or a text. */
  private static byte[] status(ApiResponse answer) {
    byte[] body =
        answer.body() instanceof Body.Payload payload ? payload.toByteArray() : new byte[0];
    String text = new String(body, StandardCharsets.UTF_8).strip();
    if (text.startsWith("{")) {
      try {
        if (ObjectReader.untypedJson(body) instanceof MapNode map
            && map.text("kind").equals("Status")) {
          return body;
        }
      } catch (DecodeException _) {
        return internalError("unable to upgrade connection: " + text);
      }
    }
    return internalError("unable to upgrade connection: " + text);
  }

  private static byte[] internalError(String text) {
    MapNode cause = MapNode.EMPTY.with("message", Node.text(text));
    return ObjectWriter.json(
        MapNode.builder(6)
            .put("metadata", MapNode.EMPTY)
            .put("status", Node.text("Failure"))
            .put("message", Node.text("Internal error occurred: " + text))
            .put("reason", Node.text(Reason.INTERNAL_ERROR.word()))
            .put("details", MapNode.EMPTY.with("causes", new Items(List.of(cause))))
            .put("code", new Node.Int(500))
            .build());
  }

  /**
   * Port forward by SPDY for a client that speaks it inside of a WebSocket.
   *
   * @param offered the client's subprotocols, at least one of them of this kind
   */
  ApiResponse tunnelled(List<String> offered) {
    WebSocketHandshake.check(request);
    MultiMap headers = PassedHeaders.request(request, /* upgrade= */ true);
    for (String name : List.copyOf(headers.names())) {
      if (name.toLowerCase(Locale.ROOT).startsWith("sec-websocket-")) {
        headers.remove(name);
      }
    }
    PassedHeaders.forwardedFor(headers, request);
    spdy(headers)
        .set(
            PROTOCOLS,
            offered.stream()
                .filter(each -> each.startsWith(TunnelledForward.PREFIX))
                .map(each -> each.substring(TunnelledForward.PREFIX.length()))
                .toList());
    return passing.upgraded(
        pool,
        new Outbound.Head("POST", uri, headers, place.target()),
        (server, answered, first) ->
            WebSocketHandshake.accepted(
                request,
                TunnelledForward.PREFIX
                    + Objects.requireNonNullElse(answered.get(PROTOCOLS), "portforward.k8s.io"),
                new TunnelledForward(server, first)),
        e -> Failures.plain("error dialing backend: " + Failures.text(e, place.target()), e));
  }

  private static MultiMap spdy(MultiMap headers) {
    return headers.set("Connection", "Upgrade").set("Upgrade", SPDY).set("Content-Length", "0");
  }
}
