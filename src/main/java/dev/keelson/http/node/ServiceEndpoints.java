package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.relay.Target;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The endpoint of a Service that a request goes to, chosen at random (source: {@code
 * ResourceLocation} of registry/core/service). Only the address of a pod of the namespace counts:
 * whoever may write endpoints cannot have this server connect to what it likes.
 *
 * @param objects the cluster's
 * @param random chooses
 */
record ServiceEndpoints(ClusterObjects objects, RandomGenerator random) {

  /** A ready address with its port. */
  private record Candidate(String ip, int port, MapNode pod) {}

  /**
   * An endpoint of a Service.
   *
   * @param id the name as in the path
   * @throws ApiException if the Service does not exist or has no endpoint
   */
  Target of(String namespace, String id) {
    SchemeNamePort asked =
        SchemeNamePort.split(id)
            .orElseThrow(
                () -> ApiException.badRequest("invalid service request " + GoQuote.quote(id)));
    MapNode service = objects.service(namespace, asked.name());
    String portName = portName(service, asked);
    List<Candidate> candidates = new ArrayList<>();
    List<MapNode> slices = objects.endpointSlices(namespace, asked.name());
    slices.forEach(slice -> addSlice(candidates, slice, portName));
    MapNode endpoints =
        slices.isEmpty() ? objects.endpoints(namespace, asked.name()) : MapNode.EMPTY;
    if (slices.isEmpty() && endpoints.maps("subsets").isEmpty()) {
      throw none(asked.name());
    }
    endpoints.maps("subsets").forEach(subset -> addSubset(candidates, subset, portName));
    Collections.shuffle(candidates, java.util.Random.from(random));
    for (Candidate candidate : candidates) {
      if (isPod(namespace, candidate)) {
        return AddressRule.remote(candidate.ip, candidate.port, asked.secure());
      }
    }
    throw none(id);
  }

  private static String portName(MapNode service, SchemeNamePort asked) {
    if (!asked.port().matches("[+-]?[0-9]+")) {
      return asked.port();
    }
    for (MapNode port : service.map("spec").maps("ports")) {
      if (port.get("port") instanceof Node.Int number
          && Long.toString(number.value()).equals(asked.port())) {
        return port.text("name");
      }
    }
    throw new ApiException(
        Reason.SERVICE_UNAVAILABLE,
        "no service port " + asked.port() + " found for service " + GoQuote.quote(asked.name()));
  }

  private static void addSlice(List<Candidate> candidates, MapNode slice, String portName) {
    for (MapNode port : slice.maps("ports")) {
      if (port.text("name").equals(portName) && port.get("port") instanceof Node.Int number) {
        for (MapNode endpoint : slice.maps("endpoints")) {
          if (endpoint.map("conditions").get("ready") != Node.Bool.FALSE) {
            for (Node address : endpoint.items("addresses")) {
              if (address instanceof Node.Text ip) {
                candidates.add(
                    new Candidate(ip.value(), (int) number.value(), endpoint.map("targetRef")));
              }
            }
          }
        }
      }
    }
  }

  private static void addSubset(List<Candidate> candidates, MapNode subset, String portName) {
    for (MapNode port : subset.maps("ports")) {
      if (port.text("name").equals(portName) && port.get("port") instanceof Node.Int number) {
        for (MapNode address : subset.maps("addresses")) {
          candidates.add(
              new Candidate(address.text("ip"), (int) number.value(), address.map("targetRef")));
        }
      }
    }
  }

  private boolean isPod(String namespace, Candidate candidate) {
    if (!candidate.pod.text("namespace").equals(namespace)
        || candidate.pod.text("name").isEmpty()) {
      return false;
    }
    try {
      return objects
          .pod(namespace, candidate.pod.text("name"))
          .map("status")
          .maps("podIPs")
          .stream()
          .anyMatch(ip -> ip.text("ip").equals(candidate.ip));
    } catch (ApiException e) {
      if (e.reason() == Reason.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  private static ApiException none(String id) {
    return new ApiException(
        Reason.SERVICE_UNAVAILABLE, "no endpoints available for service " + GoQuote.quote(id));
  }
}
