package dev.keelson.scheduler.device;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A request of a claim.
 *
 * @param choices one, or the alternatives of {@code firstAvailable}, the best first
 * @param alternatives whether they are alternatives
 */
record Request(String name, List<Choice> choices, boolean alternatives) {

  /**
   * What a request asks for.
   *
   * @param name of the request, or {@code REQUEST/NAME} of an alternative
   * @param all whether all devices are wanted that match
   * @param count how many are wanted if not all
   * @param admin whether devices in use may be given, and stay free for others
   * @param tolerations of taints
   * @param capacity the least that a device must have, or what is taken of one that is shared
   */
  record Choice(
      String name,
      String deviceClass,
      List<String> selectors,
      boolean all,
      long count,
      boolean admin,
      List<MapNode> tolerations,
      Map<String, Quantity> capacity) {
    Choice {
      capacity = Map.copyOf(capacity);
      selectors = List.copyOf(selectors);
      tolerations = List.copyOf(tolerations);
    }

    boolean tolerates(MapNode taint) {
      return tolerations.stream().anyMatch(toleration -> tolerates(toleration, taint));
    }

    private static boolean tolerates(MapNode toleration, MapNode taint) {
      String key = toleration.text("key");
      String effect = toleration.text("effect");
      return (key.isEmpty() || key.equals(taint.text("key")))
          && (effect.isEmpty() || effect.equals(taint.text("effect")))
          && (toleration.text("operator").equals("Exists")
              || toleration.text("value").equals(taint.text("value")));
    }
  }

  Request {
    choices = List.copyOf(choices);
  }

  static Request of(MapNode request) {
    String name = request.text("name");
    if (!request.has("firstAvailable")) {
      return new Request(name, List.of(choice(name, request.map("exactly"))), false);
    }
    List<Choice> choices = new ArrayList<>();
    for (MapNode alternative : request.maps("firstAvailable")) {
      choices.add(choice(name + "/" + alternative.text("name"), alternative));
    }
    return new Request(name, choices, true);
  }

  private static Choice choice(String name, MapNode source) {
    return new Choice(
        name,
        source.text("deviceClassName"),
        selectors(source),
        source.text("allocationMode").equals("All"),
        source.get("count") instanceof Node.Int count ? count.value() : 1,
        source.get("adminAccess") instanceof Node.Bool is && is.value(),
        source.maps("tolerations"),
        quantities(source.map("capacity").map("requests")));
  }

  /** Amounts by their names. */
  static Map<String, Quantity> quantities(MapNode amounts) {
    Map<String, Quantity> quantities = new HashMap<>();
    for (String name : amounts.keys()) {
      Quantity.tryParse(amounts.text(name)).ifPresent(amount -> quantities.put(name, amount));
    }
    return quantities;
  }

  static List<String> selectors(MapNode source) {
    return source.maps("selectors").stream()
        .map(selector -> selector.map("cel").text("expression"))
        .toList();
  }
}
