package dev.keelson.controller.endpoint;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SlicePlanTest {

  private static final ServiceFacts SERVICE =
      ServiceFacts.of(
          new ApiObject(
              CustomTypes.tree(
                  "{'metadata':{'name':'web','namespace':'default','uid':'u','labels':{'a':'b'}},"
                      + "'spec':{'clusterIP':'10.0.0.9','selector':{'app':'web'},"
                      + "'ipFamilies':['IPv4'],'ports':[{'port':80}]}}")));
  private static final Items PORTS =
      new Items(List.of(CustomTypes.tree("{'name':'','protocol':'TCP','port':80}")));

  private final SliceForm form = new SliceForm(SERVICE, "IPv4");
  private final Map<String, ApiObject> stored = new LinkedHashMap<>();
  private int names;
  private int writes;

  private static MapNode endpoint(int number, boolean ready) {
    return CustomTypes.tree(
        "{'addresses':['10.0.%d.%d'],'conditions':{'ready':%s},'targetRef':{'uid':'p%d'}}"
            .formatted(number / 250, number % 250, ready, number));
  }

  private static Map<String, MapNode> endpoints(Iterable<Integer> numbers) {
    Map<String, MapNode> endpoints = new LinkedHashMap<>();
    for (int number : numbers) {
      MapNode endpoint = endpoint(number, true);
      endpoints.put(SliceForm.identity(endpoint), endpoint);
    }
    return endpoints;
  }

  private static List<Integer> range(int from, int to) {
    List<Integer> range = new ArrayList<>();
    for (int i = from; i < to; i++) {
      range.add(i);
    }
    return range;
  }

  private void bring(Map<Items, Map<String, MapNode>> wanted) {
    SlicePlan plan = SlicePlan.of(form, List.copyOf(stored.values()), wanted);
    for (ApiObject slice : plan.creates()) {
      String name = "web-" + names++;
      stored.put(name, slice.withMeta(slice.meta().withText("name", name)));
    }
    plan.updates().forEach(slice -> stored.put(slice.meta().name(), slice));
    plan.deletes().forEach(slice -> stored.remove(slice.meta().name()));
    writes = plan.creates().size() + plan.updates().size() + plan.deletes().size();
  }

  private void bring(Iterable<Integer> numbers) {
    bring(Map.of(PORTS, endpoints(numbers)));
  }

  private List<Integer> sizes() {
    return stored.values().stream()
        .map(slice -> slice.root().items("endpoints").size())
        .sorted()
        .toList();
  }

  @Test
  void newService_hasOneEmptySlice_thatIsFilled() {
    bring(Map.of());
    assertThat(sizes()).containsExactly(0);
    assertThat(requireNonNull(stored.get("web-0")).meta().labels())
        .containsEntry("a", "b")
        .containsEntry(SliceForm.SERVICE, "web")
        .containsEntry(SliceForm.MANAGED_BY, SliceForm.CONTROLLER);

    bring(range(0, 3));

    assertThat(sizes()).containsExactly(3);
    assertThat(stored).containsOnlyKeys("web-0");
    assertThat(writes).isEqualTo(1);
  }

  @Test
  void manyEndpoints_areDivided_andNothingIsWrittenAgain() {
    bring(range(0, 250));
    assertThat(sizes()).containsExactly(50, 100, 100);

    bring(range(0, 250));

    assertThat(writes).isZero();
  }

  @Test
  void oneMoreEndpoint_goesWhereThereIsRoom() {
    bring(range(0, 250));

    bring(range(0, 251));

    assertThat(writes).isEqualTo(1);
    assertThat(sizes()).containsExactly(51, 100, 100);
  }

  @Test
  void changedEndpoint_staysInItsSlice() {
    bring(range(0, 150));
    Map<String, MapNode> wanted = endpoints(range(0, 150));
    MapNode changed = endpoint(7, false);
    MapNode unused = wanted.put(SliceForm.identity(changed), changed);

    bring(Map.of(PORTS, wanted));

    assertThat(writes).isEqualTo(1);
    assertThat(sizes()).containsExactly(50, 100);
  }

  @Test
  void lastEndpoint_leavesAnEmptySlice() {
    bring(range(0, 150));

    bring(Map.of());

    assertThat(sizes()).containsExactly(0);
    assertThat(stored.values().iterator().next().root().items("ports")).isEmpty();
  }

  @Test
  void sliceThatIsNotOfTheService_isDeletedAndNotUsedAgain() {
    bring(range(0, 5));
    ApiObject foreign = requireNonNull(stored.get("web-0"));
    ApiObject unused =
        stored.put("web-0", foreign.withMeta(foreign.meta().without("ownerReferences")));

    bring(range(0, 5));

    assertThat(stored).containsOnlyKeys("web-1");
    assertThat(sizes()).containsExactly(5);
  }

  @Test
  void portsInAnotherOrder_changeNothing() {
    MapNode http = CustomTypes.tree("{'name':'http','protocol':'TCP','port':80}");
    MapNode tls = CustomTypes.tree("{'name':'tls','protocol':'TCP','port':443}");
    bring(Map.of(new Items(List.of(http, tls)), endpoints(range(0, 5))));

    bring(Map.of(new Items(List.of(tls, http)), endpoints(range(0, 5))));

    assertThat(writes).isZero();
    assertThat(sizes()).containsExactly(5);
  }

  @Test
  void otherPorts_reuseTheSlice() {
    bring(range(0, 5));
    Items ports = new Items(List.of(CustomTypes.tree("{'name':'','protocol':'TCP','port':81}")));

    bring(Map.of(ports, endpoints(range(0, 5))));

    assertThat(stored).containsOnlyKeys("web-0");
    assertThat(SliceForm.ports(requireNonNull(stored.get("web-0")))).isEqualTo(ports);
    assertThat(writes).isEqualTo(1);
  }

  @Test
  void randomChanges_alwaysLeaveExactlyWhatIsWanted() {
    Random random = new Random(42);
    for (int round = 0; round < 300; round++) {
      List<Integer> numbers = new ArrayList<>();
      int most = random.nextInt(400);
      for (int i = 0; i < most; i++) {
        if (random.nextInt(3) > 0) {
          numbers.add(i);
        }
      }
      Map<String, MapNode> wanted = endpoints(numbers);
      bring(wanted.isEmpty() ? Map.of() : Map.of(PORTS, wanted));
      List<Node> all = new ArrayList<>();
      stored.values().forEach(slice -> all.addAll(slice.root().items("endpoints")));
      assertThat(all).containsExactlyInAnyOrderElementsOf(wanted.values());
      assertThat(sizes()).allMatch(size -> size <= SlicePlan.MOST);
      assertThat(stored).isNotEmpty();
    }
  }
}
