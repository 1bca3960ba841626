package dev.keelson.scheduler.device;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.scheduler.device.Allocator.Pick;
import dev.keelson.value.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Writes the devices of a claim as its {@code status.allocation}. */
final class Allocations {

  private Allocations() {}

  /**
   * The allocation of a claim.
   *
   * @param node where it was looked for
   */
  static MapNode of(Claim claim, List<Pick> picks, Map<String, DeviceClass> classes, String node) {
    List<Node> results = new ArrayList<>();
    for (Pick pick : picks) {
      MapNode.Builder result =
          MapNode.builder(10)
              .put("request", Node.text(pick.choice().name()))
              .put("driver", Node.text(pick.device().id().driver()))
              .put("pool", Node.text(pick.device().id().pool()))
              .put("device", Node.text(pick.device().id().device()));
      if (pick.choice().admin()) {
        result.put("adminAccess", Node.Bool.of(true));
      }
      if (!pick.choice().tolerations().isEmpty()) {
        result.put("tolerations", new Items(List.copyOf(pick.choice().tolerations())));
      }
      Device.Binding binding = pick.device().binding();
      if (!binding.conditions().isEmpty()) {
        result.put("bindingConditions", Node.texts(binding.conditions()));
      }
      if (!binding.failures().isEmpty()) {
        result.put("bindingFailureConditions", Node.texts(binding.failures()));
      }
      if (pick.device().shared()) {
        result.put("shareID", Node.text(UUID.randomUUID().toString()));
        result.put("consumedCapacity", amounts(pick.capacity()));
      }
      results.add(result.build());
    }
    MapNode devices = MapNode.of("results", new Items(results));
    List<Node> configs = configs(claim, picks, classes);
    if (!configs.isEmpty()) {
      devices = devices.with("config", new Items(configs));
    }
    MapNode allocation = MapNode.of("devices", devices);
    MapNode selector = nodes(picks, node);
    return selector.isEmpty() ? allocation : allocation.with("nodeSelector", selector);
  }

  private static MapNode amounts(Map<String, Quantity> amounts) {
    Map<String, String> texts = new TreeMap<>();
    amounts.forEach((name, amount) -> texts.put(name, amount.toString()));
    return MapNode.ofTexts(texts);
  }

  /**
   * First those of the classes, each with the requests that use it, then those of the claim. Those
   * of all requests name none.
   */
  private static List<Node> configs(
      Claim claim, List<Pick> picks, Map<String, DeviceClass> classes) {
    Map<String, Set<String>> requestsOf = new LinkedHashMap<>();
    Set<String> names = new LinkedHashSet<>();
    for (Pick pick : picks) {
      requestsOf
          .computeIfAbsent(pick.choice().deviceClass(), name -> new LinkedHashSet<>())
          .add(pick.choice().name());
      names.add(pick.request().name());
      names.add(pick.choice().name());
    }
    List<Node> configs = new ArrayList<>();
    requestsOf.forEach(
        (name, requests) -> {
          DeviceClass type = classes.get(name);
          for (MapNode config : type == null ? List.<MapNode>of() : type.configs()) {
            MapNode sourced = config.with("source", Node.text("FromClass"));
            configs.add(
                requests.size() == claim.requests().size()
                    ? sourced
                    : sourced.with("requests", Node.texts(List.copyOf(requests))));
          }
        });
    for (MapNode config : claim.configs()) {
      Set<String> wanted = Claim.texts(config.items("requests"));
      if (wanted.isEmpty() || wanted.stream().anyMatch(names::contains)) {
        MapNode kept =
            wanted.size() == claim.requests().size() ? config.without("requests") : config;
        configs.add(kept.with("source", Node.text("FromClaim")));
      }
    }
    return configs;
  }

  /** Where all devices can be used; empty for everywhere. */
  private static MapNode nodes(List<Pick> picks, String node) {
    Set<Node> fields = new LinkedHashSet<>();
    Set<Node> labels = new LinkedHashSet<>();
    for (Pick pick : picks) {
      Placement placement = pick.device().placement();
      if (!placement.node().isEmpty() || pick.device().binding().toNode()) {
        MapNode name =
            MapNode.builder(3)
                .put("key", Node.text("metadata.name"))
                .put("operator", Node.text("In"))
                .put("values", Node.texts(List.of(node)))
                .build();
        return terms(MapNode.of("matchFields", new Items(List.of(name))));
      }
      for (MapNode term : placement.selector().maps("nodeSelectorTerms")) {
        fields.addAll(term.items("matchFields"));
        labels.addAll(term.items("matchExpressions"));
      }
    }
    MapNode term = MapNode.EMPTY;
    if (!labels.isEmpty()) {
      term = term.with("matchExpressions", new Items(List.copyOf(labels)));
    }
    if (!fields.isEmpty()) {
      term = term.with("matchFields", new Items(List.copyOf(fields)));
    }
    return term.isEmpty() ? MapNode.EMPTY : terms(term);
  }

  private static MapNode terms(MapNode term) {
    return MapNode.of("nodeSelectorTerms", new Items(List.of(term)));
  }
}
