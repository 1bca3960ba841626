package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Body;
import dev.keelson.http.node.Locations.Place;
import dev.keelson.http.node.NodeClients.Way;
import dev.keelson.http.relay.EscapedPath;
import dev.keelson.http.relay.Outbound;
import dev.keelson.http.simulated.SimulatedPods;
import dev.keelson.http.verb.NodeConnection.Connect;
import dev.keelson.object.Node.MapNode;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;

/**
 * {@code pods/log}: the kubelet's containerLogs. Nothing of the client's request passes but the
 * parameters, and nothing of the kubelet's response but the text.
 *
 * @param clients the connections
 * @param locations where kubelets are
 * @param simulated answers where there is none
 * @param clock tells what {@code sinceSeconds} counts from
 */
record LogRequest(
    NodeClients clients, Locations locations, SimulatedPods simulated, InstantSource clock) {

  private static final List<Header> TEXT = List.of(new Header("Content-Type", "text/plain"));

  /** Of a kubelet's error (source: {@code maxReadLength} of the response checker). */
  private static final int MOST_ERROR = 50_000;

  ApiResponse answer(Passing passing, Connect connect) {
    String name = connect.info().name();
    LogOptions options = LogOptions.of(connect.exchange().request().query());
    options.validate(name);
    MapNode pod = locations.objects().pod(connect.info().namespace(), name);
    String container = Containers.chosen(pod, options.container());
    String node = pod.map("spec").text("nodeName");
    if (node.isEmpty()) {
      return new ApiResponse(204, List.of(), Body.Payload.EMPTY);
    }
    MapNode host = locations.objects().node(node);
    if (SimulatedPods.isSimulated(host)) {
      String namespace = connect.info().namespace();
      return simulated.log(
          () -> locations.objects().pod(namespace, name),
          container,
          options.window(clock.instant()));
    }
    Place place = locations.kubelet(host);
    String query = options.query();
    String path =
        EscapedPath.of(
            "/containerLogs/"
                + connect.info().namespace()
                + "/"
                + pod.map("metadata").text("name")
                + "/"
                + container);
    String uri = query.isEmpty() ? path : path + "?" + query;
    Outbound.Head head =
        new Outbound.Head(
            HttpMethod.GET.name(),
            uri,
            MultiMap.caseInsensitiveMultiMap()
                .set("Host", Passing.authority(place.target()))
                .set("User-Agent", "keelson"),
            place.target());
    ApiResponse answer =
        passing.plain(
            clients.of(options.insecure() ? Way.UNVERIFIED_KUBELET : place.way()),
            head,
            e ->
                Failures.plain(
                    "Get \"https://"
                        + Passing.authority(place.target())
                        + uri
                        + "\": "
                        + Failures.text(e, place.target()),
                    e));
    if (answer.status() < 200 || answer.status() > 206) {
      throw refused(answer, name);
    }
    return new ApiResponse(200, TEXT, answer.body());
  }

  /** What the kubelet says instead of the log; a redirect is not followed. */
  private static ApiException refused(ApiResponse answer, String pod) {
    String location = answer.header("Location");
    if (answer.status() >= 300 && answer.status() <= 399 && !location.isEmpty()) {
      if (answer.body() instanceof Body.Relayed redirect) {
        redirect.abandon();
      }
      return new ApiException(Reason.UNKNOWN, "Get \"" + location + "\": redirects forbidden");
    }
    if (!(answer.body() instanceof Body.Relayed relayed)) {
      return Failures.ofLog(answer.status(), "", pod);
    }
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      relayed.writeTo(
          part -> {
            text.writeBytes(part.toByteArray());
            if (text.size() > MOST_ERROR) {
              throw new Body.ClientGoneException();
            }
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Body.ClientGoneException | IllegalStateException e) {
      relayed.abandon();
    }
    byte[] bytes = text.toByteArray();
    return Failures.ofLog(
        answer.status(),
        new String(bytes, 0, Math.min(bytes.length, MOST_ERROR), StandardCharsets.UTF_8),
        pod);
  }
}
