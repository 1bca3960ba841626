package dev.keelson.controller.endpoint;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Cases of Kubernetes' {@code topologycache_test.go}. */
final class ZoneHintsTest {

  private static final Map<String, Double> EQUAL = Map.of("a", 0.5, "b", 0.5);

  private static Map<Items, Map<String, MapNode>> endpoints(String... zones) {
    Map<String, MapNode> endpoints = new LinkedHashMap<>();
    for (int i = 0; i < zones.length; i++) {
      MapNode unused =
          endpoints.put(
              "p" + i,
              CustomTypes.tree(
                  zones[i].isEmpty()
                      ? "{'conditions':{'ready':true}}"
                      : "{'conditions':{'ready':true},'zone':'" + zones[i] + "'}"));
    }
    return Map.of(Items.EMPTY, endpoints);
  }

  /** How many endpoints each zone has. */
  private static Map<String, Integer> divided(
      Map<String, Double> ratios,
      Map<Items, Map<String, MapNode>> wanted,
      Map<String, String> present)
      throws ZoneHints.Indivisible {
    Map<String, Integer> counts = new TreeMap<>();
    for (MapNode endpoint :
        ZoneHints.divide(ratios, wanted, present).values().iterator().next().values()) {
      List<MapNode> zones = endpoint.map("hints").maps("forZones");
      int unused =
          counts.merge(zones.isEmpty() ? "" : zones.getFirst().text("name"), 1, Integer::sum);
    }
    return counts;
  }

  @Test
  void endpoints_areForTheirZones() throws Exception {
    assertThat(divided(EQUAL, endpoints("a", "b", "a", "b"), Map.of()))
        .isEqualTo(Map.of("a", 2, "b", 2));
  }

  @Test
  void zoneWithTooFew_getsThoseOfOthers() throws Exception {
    assertThat(divided(EQUAL, endpoints("a", "a", "a", "a", "a", "b"), Map.of()))
        .isEqualTo(Map.of("a", 3, "b", 3));
    assertThat(divided(Map.of("a", 0.34, "b", 0.33, "c", 0.33), endpoints("a", "a", "b"), Map.of()))
        .containsEntry("c", 1);
  }

  @Test
  void presentHints_stay() throws Exception {
    Map<Items, Map<String, MapNode>> wanted = endpoints("a", "a", "a", "b");
    Map<String, String> present = Map.of("p0", "b", "p1", "a", "p2", "a", "p3", "b");

    List<MapNode> divided =
        List.copyOf(ZoneHints.divide(EQUAL, wanted, present).values().iterator().next().values());

    assertThat(divided.getFirst().map("hints"))
        .isEqualTo(CustomTypes.tree("{'forZones':[{'name':'b'}]}"));
  }

  @Test
  void endpointThatIsNotReady_isForNoZone() throws Exception {
    Map<String, MapNode> wanted =
        new LinkedHashMap<>(requireNonNull(endpoints("a", "b").get(Items.EMPTY)));
    MapNode unused =
        wanted.put("p9", CustomTypes.tree("{'conditions':{'ready':false},'zone':'a'}"));

    assertThat(divided(EQUAL, Map.of(Items.EMPTY, wanted), Map.of()))
        .isEqualTo(Map.of("a", 1, "b", 1, "", 1));
  }

  @Test
  void whatCannotBeDivided_isTold() {
    assertThatThrownBy(() -> divided(Map.of(), endpoints("a", "b"), Map.of()))
        .hasMessage(
            "Insufficient Node information: allocatable CPU or zone not specified on one or more"
                + " nodes");
    assertThatThrownBy(() -> divided(EQUAL, endpoints("a"), Map.of()))
        .hasMessage("Insufficient number of endpoints (1 endpoints, 2 zones)");
    assertThatThrownBy(() -> divided(EQUAL, endpoints("a", ""), Map.of()))
        .hasMessage("One or more endpoints do not have a zone specified");
    assertThatThrownBy(() -> divided(Map.of("a", 0.7, "b", 0.3), endpoints("a", "b"), Map.of()))
        .hasMessage(
            "Unable to allocate minimum required endpoints to each zone without exceeding overload"
                + " threshold (2 endpoints, 2 zones)");
  }

  @Test
  void ratios_areThoseOfReadyNodesWithAZone() {
    NodeZone small = new NodeZone("a", true, 1000);
    NodeZone large = new NodeZone("b", true, 3000);
    NodeZone unready = new NodeZone("", false, 0);

    assertThat(ZoneHints.ratios(List.of(small, large, unready)))
        .isEqualTo(Map.of("a", 0.25, "b", 0.75));
    assertThat(ZoneHints.ratios(List.of(small, small))).isEmpty();
    assertThat(ZoneHints.ratios(List.of(small, large, new NodeZone("", true, 10)))).isEmpty();
    assertThat(ZoneHints.ratios(List.of(small, large, new NodeZone("a", true, 0)))).isEmpty();
  }
}
