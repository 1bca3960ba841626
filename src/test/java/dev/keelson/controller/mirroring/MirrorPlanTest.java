package dev.keelson.controller.mirroring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows are the cases of Kubernetes' {@code endpointslicemirroring/reconciler_test.go}. */
final class MirrorPlanTest {

  private static final String WEB = "http:80:TCP";
  private static final String TWO = "http:80:TCP https:443:UDP";
  private static final String HIGH = "http:3000:TCP https:3001:UDP";
  private static final String ONE = TWO + " > 10.0.0.1 10.0.0.2";
  private static final String OTHER = HIGH + " > 10.0.1.1 10.0.1.2 10.0.1.3";

  private final Map<String, ApiObject> stored = new TreeMap<>();
  private int names = 100;
  private int writes;

  /**
   * Addresses as {@code node-N}'s {@code pod-N} in the order of the subset; {@code !} before those
   * not ready.
   */
  private static String subset(String text) {
    String[] parts = text.split(" *> *", -1);
    List<String> ports = new ArrayList<>();
    for (String port : parts[0].split(" ")) {
      String[] fields = port.split(":", -1);
      ports.add(
          "{'name':'%s','port':%s,'protocol':'%s'}".formatted(fields[0], fields[1], fields[2]));
    }
    List<String> ready = new ArrayList<>();
    List<String> others = new ArrayList<>();
    int number = 0;
    for (String address : parts.length < 2 ? new String[0] : parts[1].trim().split(" ")) {
      number++;
      boolean serves = !address.startsWith("!");
      (serves ? ready : others)
          .add(
              "{'ip':'%s','hostname':'pod-%d','nodeName':'node-%d'}"
                  .formatted(serves ? address : address.substring(1), number, number));
    }
    return "{'ports':[%s],'addresses':[%s],'notReadyAddresses':[%s]}"
        .formatted(String.join(",", ports), String.join(",", ready), String.join(",", others));
  }

  private static ApiObject endpoints(String metadata, String... subsets) {
    List<String> all = new ArrayList<>();
    for (String each : subsets) {
      all.add(subset(each));
    }
    return new ApiObject(
        CustomTypes.tree(
            "{'metadata':{'name':'test-ep','namespace':'test','uid':'e'%s},'subsets':[%s]}"
                .formatted(metadata, String.join(",", all))));
  }

  private MirroredSubsets mirror(ApiObject endpoints, int most) {
    MirroredSubsets wanted = MirroredSubsets.of(endpoints, most);
    MirrorPlan plan = MirrorPlan.of(endpoints, wanted, List.copyOf(stored.values()));
    writes = plan.creates().size() + plan.updates().size() + plan.deletes().size();
    for (ApiObject slice : plan.creates()) {
      String name = slice.meta().generateName() + names++;
      ApiObject unused = stored.put(name, slice.withMeta(slice.meta().withText("name", name)));
    }
    for (ApiObject slice : plan.updates()) {
      assertThat(stored).containsKey(slice.meta().name());
      ApiObject unused = stored.put(slice.meta().name(), slice);
    }
    for (ApiObject slice : plan.deletes()) {
      ApiObject unused = stored.remove(slice.meta().name());
    }
    return wanted;
  }

  private void existing(String family, String ports, String endpoints) {
    MapNode subset = CustomTypes.tree(subset(ports));
    String name = "test-ep-" + stored.size();
    MapNode root =
        CustomTypes.tree(
            ("{'metadata':{'name':'%s','namespace':'test','ownerReferences':[{'uid':'e'}],'labels':{"
                    + "'kubernetes.io/service-name':'test-ep','endpointslice.kubernetes.io/managed-by':"
                    + "'endpointslicemirroring-controller.k8s.io'}},'addressType':'%s','endpoints':[%s]}")
                .formatted(name, family, endpoints));
    ApiObject unused =
        stored.put(name, new ApiObject(root.with("ports", new Node.Items(subset.items("ports")))));
  }

  /** The addresses of all slices by family and ports, with {@code !} before those not ready. */
  private Map<String, String> slices() {
    Map<String, String> slices = new LinkedHashMap<>();
    for (ApiObject slice : stored.values()) {
      StringBuilder addresses = new StringBuilder();
      for (MapNode endpoint : slice.root().maps("endpoints")) {
        boolean ready = endpoint.map("conditions").get("ready") == Node.Bool.TRUE;
        addresses
            .append(addresses.isEmpty() ? "" : " ")
            .append(ready ? "" : "!")
            .append(
                endpoint.items("addresses").getFirst() instanceof Node.Text text
                    ? text.value()
                    : "");
      }
      StringBuilder key = new StringBuilder(slice.root().text("addressType"));
      for (MapNode port : slice.root().maps("ports")) {
        key.append(' ').append(port.get("port") instanceof Node.Int number ? number.value() : 0);
      }
      String before = slices.put(key.toString(), addresses.toString());
      assertThat(before).as("one slice for each set of ports and family").isNull();
      assertThat(slice.meta().name()).startsWith("test-ep");
      assertThat(slice.meta().labels())
          .containsEntry("kubernetes.io/service-name", "test-ep")
          .containsEntry(
              "endpointslice.kubernetes.io/managed-by", "endpointslicemirroring-controller.k8s.io");
    }
    return slices;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          no subsets                 |                                  | 0    | 0 | 0
          no addresses               | http:80:TCP                      | 0    | 0 | 0
          one port and address       | http:80:TCP > 10.0.0.1           | 1    | 0 | 0
          not ready                  | http:80:TCP > 10.0.0.1 !10.0.0.2 | 1    | 0 | 0
          two ports and addresses    | http:80:TCP https:443:UDP > 10.0.0.1 10.0.0.2 | 1 | 0 | 0
          two subsets                | http:80:TCP > 10.0.0.1 10.0.0.2 ; http:3000:TCP > 10.0.1.1 10.0.1.2 10.0.1.3 | 2 | 0 | 0
          subsets with the same ports in another order | http:80:TCP https:443:UDP > 10.0.0.1 ; https:443:UDP http:80:TCP > 10.0.0.2 | 1 | 0 | 0
          an address with ports in two subsets | http:80:TCP > 10.0.0.1 ; https:443:TCP > 10.0.0.1 | 1 | 0 | 0
          both families              | http:80:TCP > 2001:db8:2222:3333:4444:5555:6666:7777 10.0.0.2 ; http:3000:TCP > 10.0.1.1 10.0.1.2 2001:db8:3333:4444:5555:6666:7777:8888 | 4 | 0 | 0
          IPv6                       | http:80:TCP > 2001:db8::1 2001:db8::2 ; http:3000:TCP > 2001:db8::3 2001:db8::4 2001:db8::5 | 2 | 0 | 0
          some invalid               | http:80:TCP > 2001:db8::1 this-is-not-an-ip ; http:3000:TCP > this-is-also-not-an-ip 2001:db8::4 2001:db8::5 | 2 | 2 | 2
          all invalid                | http:80:TCP > not-1 not-2 ; http:3000:TCP > not-11 not-12 not-3 | 0 | 5 | 5
          """)
  void newSlices_areOneForEachSetOfPortsAndFamily(
      String name, String subsets, int slices, int invalid, int skipped) {
    ApiObject endpoints = endpoints("", subsets == null ? new String[0] : subsets.split(" ; "));

    MirroredSubsets wanted = mirror(endpoints, 1000);

    assertThat(slices()).as(name).hasSize(slices);
    assertThat(writes).isEqualTo(slices);
    assertThat(wanted.invalid()).isEqualTo(invalid);
    assertThat(wanted.skipped()).isEqualTo(skipped);
    // what was written is what is wanted
    mirror(endpoints, 1000);
    assertThat(writes).isZero();
  }

  @Test
  void slice_hasWhatTheAddressesSay() {
    mirror(endpoints("", WEB + " > 10.0.0.1 !010.0.00.2"), 1000);

    assertThat(slices()).containsExactly(Map.entry("IPv4 80", "10.0.0.1 !10.0.0.2"));
    assertThat(stored.values().iterator().next().root().maps("endpoints").getFirst())
        .isEqualTo(
            CustomTypes.tree(
                "{'addresses':['10.0.0.1'],'conditions':{'ready':true},'hostname':'pod-1',"
                    + "'nodeName':'node-1'}"));
  }

  @Test
  void deletedEndpoints_getNoNewSlices() {
    mirror(endpoints(",'deletionTimestamp':'2026-01-01T00:00:00Z'", WEB + " > 10.0.0.1"), 1000);

    assertThat(writes).isZero();
  }

  @Test
  void emptySliceOfTheSamePorts_isFilled() {
    existing("IPv4", TWO, "");

    mirror(endpoints("", ONE, OTHER), 1000);

    assertThat(writes).isEqualTo(2);
    assertThat(slices())
        .containsEntry("IPv4 443 80", "10.0.0.1 10.0.0.2")
        .containsEntry("IPv4 3000 3001", "10.0.1.1 10.0.1.2 10.0.1.3");
  }

  @Test
  void sliceWithSomeOfTheAddresses_isBroughtToAll() {
    existing(
        "IPv4",
        TWO,
        "{'addresses':['10.0.0.2'],'hostname':'pod-2'},"
            + "{'addresses':['10.0.0.1','10.0.0.3'],'hostname':'pod-1'}");

    mirror(endpoints("", ONE, OTHER), 1000);

    assertThat(writes).isEqualTo(2);
    assertThat(slices()).containsEntry("IPv4 443 80", "10.0.0.1 10.0.0.2");
  }

  @Test
  void sliceThatIsRight_isNotWritten() {
    existing(
        "IPv4",
        TWO,
        "{'addresses':['10.0.0.2'],'hostname':'pod-2','nodeName':'node-2','conditions':{'ready':true}},"
            + "{'addresses':['10.0.0.1'],'hostname':'pod-1','nodeName':'node-1','conditions':{'ready':true}}");

    mirror(endpoints("", ONE, OTHER), 1000);

    assertThat(writes).isEqualTo(1);
    assertThat(slices()).hasSize(2);
  }

  @Test
  void addressesOverTheLimitOfASubset_areSkipped() {
    MirroredSubsets wanted = mirror(endpoints("", ONE, OTHER), 2);

    assertThat(writes).isEqualTo(2);
    assertThat(wanted.invalid()).isZero();
    assertThat(wanted.skipped()).isEqualTo(1);
    assertThat(slices()).containsEntry("IPv4 3000 3001", "10.0.1.1 10.0.1.2");
  }

  @Test
  void slicesOfTheSamePorts_becomeOne_andOneOfOtherPortsIsReused() {
    existing("IPv4", TWO, "");
    existing("IPv4", TWO, "");
    existing("IPv6", TWO, "");

    mirror(endpoints("", ONE, OTHER), 1000);

    // the second one is written as that of the other ports, the third has another family
    assertThat(writes).isEqualTo(3);
    assertThat(stored).containsOnlyKeys("test-ep-0", "test-ep-1");
    assertThat(slices()).hasSize(2);
  }

  @Test
  void slicesOfEndpointsWithoutAddresses_areDeleted() {
    existing("IPv4", WEB, "{'addresses':['10.0.0.2'],'conditions':{'ready':true}}");

    mirror(endpoints("", WEB), 1000);

    assertThat(stored).isEmpty();
  }

  @Test
  void labelsAndAnnotations_areMirrored_butForBookkeeping() {
    ApiObject endpoints =
        endpoints(
            ",'labels':{'app':'web'},'annotations':{'note':'x',"
                + "'endpoints.kubernetes.io/last-change-trigger-time':'t',"
                + "'kubectl.kubernetes.io/last-applied-configuration':'c'}",
            WEB + " > 10.0.0.1");
    existing(
        "IPv4",
        WEB,
        "{'addresses':['10.0.0.1'],'hostname':'pod-1','nodeName':'node-1','conditions':{'ready':true}}");

    mirror(endpoints, 1000);

    ApiObject slice = requireNonNull(stored.get("test-ep-0"));
    assertThat(slice.meta().labels()).containsEntry("app", "web").hasSize(3);
    assertThat(slice.meta().annotations()).containsOnly(Map.entry("note", "x"));
    mirror(endpoints, 1000);
    assertThat(writes).isZero();
    mirror(endpoints("", WEB + " > 10.0.0.1"), 1000);
    assertThat(writes).isEqualTo(1);
    assertThat(requireNonNull(stored.get("test-ep-0")).meta().labels()).hasSize(2);
  }

  @Test
  void sliceOfEarlierEndpointsOfTheName_getsTheNewOwner() {
    mirror(endpoints("", WEB + " > 10.0.0.1"), 1000);
    ApiObject slice = stored.values().iterator().next();
    assertThat(slice.meta().node().maps("ownerReferences").getFirst())
        .isEqualTo(
            CustomTypes.tree(
                "{'apiVersion':'v1','kind':'Endpoints','name':'test-ep','uid':'e','controller':true,"
                    + "'blockOwnerDeletion':true}"));
    ApiObject other =
        new ApiObject(
            slice
                .root()
                .withAt(
                    List.of("metadata", "ownerReferences"),
                    new Node.Items(List.of(CustomTypes.tree("{'uid':'before'}")))));
    ApiObject unused = stored.put(slice.meta().name(), other);

    mirror(endpoints("", WEB + " > 10.0.0.1"), 1000);

    assertThat(writes).isEqualTo(1);
  }
}
