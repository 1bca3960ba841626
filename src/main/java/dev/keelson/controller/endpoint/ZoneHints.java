package dev.keelson.controller.endpoint;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Divides the endpoints of a Service among the zones by the processors that these have, for
 * Services that ask for it by the annotation {@code service.kubernetes.io/topology-mode} (KEP-2433;
 * source: {@code topologycache} of Kubernetes' {@code k8s.io/endpointslice}).
 */
final class ZoneHints {

  /** By how much more than its share an endpoint may have to do. */
  private static final double OVERLOAD = 0.2;

  private final Map<String, Share> shares;
  private final Map<String, Integer> allocated = new TreeMap<>();

  /**
   * The endpoints of a zone.
   *
   * @param most so that all others can have their least
   * @param wanted not a whole number
   */
  private record Share(int most, double wanted) {}

  /** The endpoints cannot be divided; the message says why. */
  static final class Indivisible extends Exception {
    private static final long serialVersionUID = 1L;

    Indivisible(String message) {
      super(message);
    }
  }

  private ZoneHints(Map<String, Share> shares) {
    this.shares = shares;
  }

  /**
   * The shares that zones have of all processors.
   *
   * @return empty if a node does not tell its zone or its processors, or there is one zone only
   */
  static Map<String, Double> ratios(Collection<NodeZone> nodes) {
    Map<String, Long> byZone = new TreeMap<>();
    long all = 0;
    for (NodeZone node : nodes) {
      if (!node.counts()) {
        continue;
      }
      if (node.zone().isEmpty() || node.milliCpu() == 0) {
        return Map.of();
      }
      Long unused = byZone.merge(node.zone(), node.milliCpu(), Long::sum);
      all += node.milliCpu();
    }
    if (byZone.size() < 2) {
      return Map.of();
    }
    Map<String, Double> ratios = new TreeMap<>();
    for (Map.Entry<String, Long> zone : byZone.entrySet()) {
      Double unused = ratios.put(zone.getKey(), (double) zone.getValue() / all);
    }
    return ratios;
  }

  /**
   * Divides the endpoints of an address type.
   *
   * @param ratios of the zones
   * @param wanted the endpoints by their ports, each by what identifies it
   * @param present the zones that endpoints are for now, by what identifies them
   * @return the endpoints, those that are ready with the zone that they are for
   * @throws Indivisible if zones would have too much or nothing
   */
  static Map<Items, Map<String, MapNode>> divide(
      Map<String, Double> ratios,
      Map<Items, Map<String, MapNode>> wanted,
      Map<String, String> present)
      throws Indivisible {
    Map<String, MapNode> ready = new LinkedHashMap<>();
    wanted
        .values()
        .forEach(
            endpoints ->
                endpoints.forEach(
                    (identity, endpoint) -> {
                      if (Bool.TRUE.equals(endpoint.map("conditions").get("ready"))) {
                        MapNode unused = ready.put(identity, endpoint);
                      }
                    }));
    Map<String, String> zones = new ZoneHints(shares(ratios, ready.size())).zones(ready, present);
    Map<Items, Map<String, MapNode>> divided = new LinkedHashMap<>();
    wanted.forEach(
        (ports, endpoints) -> {
          Map<String, MapNode> hinted = new LinkedHashMap<>(endpoints);
          hinted.replaceAll((identity, endpoint) -> hinted(endpoint, zones.get(identity)));
          Map<String, MapNode> unused = divided.put(ports, hinted);
        });
    return divided;
  }

  private static MapNode hinted(MapNode endpoint, @Nullable String zone) {
    if (zone == null) {
      return endpoint;
    }
    Items zones = new Items(List.of(MapNode.of("name", Node.text(zone))));
    return endpoint.with("hints", MapNode.of("forZones", zones));
  }

  private static Map<String, Share> shares(Map<String, Double> ratios, int endpoints)
      throws Indivisible {
    if (ratios.isEmpty()) {
      throw new Indivisible(
          "Insufficient Node information: allocatable CPU or zone not specified on one or more"
              + " nodes");
    }
    String numbers = " (%d endpoints, %d zones)".formatted(endpoints, ratios.size());
    if (ratios.size() > endpoints) {
      throw new Indivisible("Insufficient number of endpoints" + numbers);
    }
    Map<String, Integer> least = new HashMap<>();
    int left = endpoints;
    for (Map.Entry<String, Double> zone : ratios.entrySet()) {
      int fewest = (int) Math.ceil(zone.getValue() * endpoints / (1 + OVERLOAD));
      Integer unused = least.put(zone.getKey(), fewest);
      left -= fewest;
    }
    if (left < 0) {
      throw new Indivisible(
          "Unable to allocate minimum required endpoints to each zone without exceeding overload"
              + " threshold"
              + numbers);
    }
    Map<String, Share> shares = new TreeMap<>();
    for (Map.Entry<String, Integer> zone : least.entrySet()) {
      int fewest = zone.getValue();
      double exact = ratios.getOrDefault(zone.getKey(), 0.0) * endpoints;
      Share unused = shares.put(zone.getKey(), new Share(fewest + left, Math.max(exact, fewest)));
    }
    return shares;
  }

  /** The zone of each endpoint: the one that it is for now, its own, or one that has too few. */
  private Map<String, String> zones(Map<String, MapNode> ready, Map<String, String> present)
      throws Indivisible {
    Map<String, String> zones = new LinkedHashMap<>();
    Map<String, String> own = new LinkedHashMap<>();
    for (Map.Entry<String, MapNode> each : ready.entrySet()) {
      String zone = each.getValue().text("zone");
      if (zone.isEmpty()) {
        throw new Indivisible("One or more endpoints do not have a zone specified");
      }
      String kept = present.getOrDefault(each.getKey(), "");
      Share share = shares.get(kept);
      if (share == null || allocated.getOrDefault(kept, 0) >= share.most()) {
        kept = zone;
        String unused = own.put(each.getKey(), zone);
      }
      String unused = zones.put(each.getKey(), kept);
      int unusedCount = allocated.merge(kept, 1, Integer::sum);
    }
    redistribute(own, zones);
    return zones;
  }

  /** Gives endpoints of zones that have too many to those that have too few. */
  private void redistribute(Map<String, String> own, Map<String, String> zones) {
    Map<String, Integer> giving = new TreeMap<>();
    Map<String, Integer> receiving = new TreeMap<>();
    plan(giving, receiving);
    own.forEach(
        (identity, zone) -> {
          if (giving.getOrDefault(zone, 0) > 0 && !receiving.isEmpty()) {
            String receiver = receiving.keySet().iterator().next();
            String unused = zones.put(identity, receiver);
            take(giving, zone);
            take(receiving, receiver);
          }
        });
  }

  private static void take(Map<String, Integer> counts, String zone) {
    Integer unused = counts.computeIfPresent(zone, (_, count) -> count == 1 ? null : count - 1);
  }

  private void plan(Map<String, Integer> giving, Map<String, Integer> receiving) {
    Map<String, Double> surplus = new TreeMap<>();
    Map<String, Double> lack = new TreeMap<>();
    shares.forEach(
        (zone, share) -> {
          double difference = allocated.getOrDefault(zone, 0) - share.wanted();
          Double unused = (difference > 0 ? surplus : lack).put(zone, Math.abs(difference));
        });
    while (true) {
      String giver = most(surplus);
      String receiver = most(lack);
      double toGive = surplus.getOrDefault(giver, 0.0);
      double toReceive = lack.getOrDefault(receiver, 0.0);
      // moving less than half an endpoint, or less than one between two, makes nothing better
      if (Math.min(toGive, toReceive) < 0.5 || Math.max(toGive, toReceive) < 1) {
        return;
      }
      int unusedGiven = giving.merge(giver, 1, Integer::sum);
      int unusedTaken = receiving.merge(receiver, 1, Integer::sum);
      Double unused = surplus.put(giver, toGive - 1);
      Double unused2 = lack.put(receiver, toReceive - 1);
    }
  }

  private static String most(Map<String, Double> zones) {
    return zones.entrySet().stream()
        .filter(zone -> zone.getValue() > 0)
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse("");
  }
}
