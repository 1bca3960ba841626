package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.api.Verb;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ForbiddenError;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.node.Locations.Place;
import dev.keelson.http.relay.EscapedPath;
import dev.keelson.http.simulated.SimulatedPods;
import dev.keelson.http.stream.TranslatedStreams;
import dev.keelson.http.stream.TunnelledForward;
import dev.keelson.http.stream.WebSocketHandshake;
import dev.keelson.http.verb.NodeConnection.Connect;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.RequestInfo;
import java.util.List;

/**
 * {@code exec}, {@code attach} and {@code portforward}: a connection to the kubelet in the protocol
 * that the client asks for (source: registry/core/pod/rest/subresources.go).
 *
 * @param clients the connections
 * @param locations where kubelets are
 * @param authorizer authorizes the verb create for WebSockets, which begin by GET
 * @param features what is done with WebSockets
 * @param counter counts them
 * @param simulated answers where there is no kubelet
 */
record StreamRequest(
    NodeClients clients,
    Locations locations,
    Authorizer authorizer,
    FeatureGates features,
    StreamCounter counter,
    SimulatedPods simulated) {

  ApiResponse answer(Passing passing, Connect connect) {
    requireCreate(connect);
    RequestInfo.Resource info = connect.info();
    StreamOptions options = new StreamOptions(connect.options());
    MapNode pod = locations.objects().pod(info.namespace(), info.name());
    boolean forwards = info.subresource().equals("portforward");
    String container = forwards ? "" : Containers.chosen(pod, options.container());
    MapNode host = locations.objects().node(Containers.host(pod));
    Place place = SimulatedPods.isSimulated(host) ? null : locations.kubelet(host);
    ApiRequest request = connect.exchange().request();
    if (!passing.client().asksForUpgrade(request)) {
      throw ApiException.badRequest("Upgrade request required");
    }
    if (place == null) {
      return simulated(request, info, pod, container, options);
    }
    String path = "/" + info.namespace() + "/" + pod.map("metadata").text("name");
    String query = options.query();
    String uri =
        EscapedPath.of(
                forwards
                    ? "/portForward" + path
                    : "/" + info.subresource() + path + "/" + container)
            + (query.isEmpty() ? "" : "?" + query);
    KubeletStreams streams =
        new KubeletStreams(passing, request, clients.of(place.way()), place, uri);
    List<String> offered = WebSocketHandshake.offered(request);
    boolean direct = features.on(Feature.EXTEND_WEB_SOCKETS_TO_KUBELET) && place.webSockets();
    if (forwards) {
      boolean tunnel = offered.stream().anyMatch(each -> each.startsWith(TunnelledForward.PREFIX));
      if (features.on(Feature.PORT_FORWARD_WEB_SOCKETS) && tunnel) {
        counter.count(info.subresource(), direct);
        return direct ? streams.passed() : streams.tunnelled(offered);
      }
    } else if (features.on(Feature.TRANSLATE_STREAM_CLOSE_WEB_SOCKET_REQUESTS)
        && offered.contains(TranslatedStreams.PROTOCOL)) {
      counter.count(info.subresource(), direct);
      return direct ? streams.passed() : streams.translated(options.channels());
    }
    return streams.passed();
  }

  private ApiResponse simulated(
      ApiRequest request,
      RequestInfo.Resource info,
      MapNode pod,
      String container,
      StreamOptions options) {
    if (info.subresource().equals("portforward")) {
      throw SimulatedPods.noPorts(info.name());
    }
    return simulated.run(
        request,
        pod,
        container,
        info.subresource().equals("attach"),
        options.command(),
        options.channels());
  }

  /** Whoever may only get a pod's connections may not open one by a WebSocket. */
  private void requireCreate(Connect connect) {
    RequestInfo.Resource info = connect.info();
    if (info.verb() == Verb.CREATE
        || !features.on(Feature.AUTHORIZE_POD_WEBSOCKET_UPGRADE_CREATE_PERMISSION)) {
      return;
    }
    Attributes wish =
        new Attributes(
            connect.exchange().context().user(),
            Verb.CREATE.word(),
            new Attributes.Resource(
                info.groupVersion().group(),
                info.groupVersion().version(),
                info.resource(),
                info.subresource(),
                info.namespace(),
                info.name(),
                "",
                ""));
    Decision decision = authorizer.authorize(wish);
    if (!decision.allowed()) {
      throw ForbiddenError.of(wish, decision);
    }
  }
}
