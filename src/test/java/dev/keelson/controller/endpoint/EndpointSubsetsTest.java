package dev.keelson.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EndpointSubsetsTest {

  private static ServiceFacts service(String spec) {
    return ServiceFacts.of(
        new ApiObject(
            CustomTypes.tree(
                "{'metadata':{'name':'web','namespace':'default'},'spec':{'selector':{'app':'web'},"
                    + spec
                    + "}}")));
  }

  private static EndpointPod pod(String name, String ip, boolean ready, String spec) {
    return EndpointPod.of(
        new ApiObject(
            CustomTypes.tree(
                ("{'metadata':{'name':'%1$s','namespace':'default','uid':'%1$s','labels':{'app':"
                        + "'web'}},'spec':{'nodeName':'n',%4$s},'status':{'phase':'Running','podIPs':[{"
                        + "'ip':'%2$s'}],'conditions':[{'type':'Ready','status':'%3$s'}]}}")
                    .formatted(name, ip, ready ? "True" : "False", spec))));
  }

  private static final String NAMED =
      "'containers':[{'name':'c','ports':[{'name':'http','containerPort':%d}]}]";

  @Test
  void readyAndOtherPods_areApart() {
    EndpointSubsets subsets = new EndpointSubsets(service("'ports':[{'port':80}]"));
    subsets.add(pod("b", "10.0.0.2", true, "'x':1"));
    subsets.add(pod("a", "10.0.0.1", false, "'x':1"));

    assertThat(subsets.build().values())
        .singleElement()
        .isEqualTo(
            CustomTypes.tree(
                "{'addresses':[{'ip':'10.0.0.2','nodeName':'n','targetRef':{'kind':'Pod',"
                    + "'namespace':'default','name':'b','uid':'b'}}],"
                    + "'notReadyAddresses':[{'ip':'10.0.0.1','nodeName':'n','targetRef':{"
                    + "'kind':'Pod','namespace':'default','name':'a','uid':'a'}}],"
                    + "'ports':[{'protocol':'TCP','port':80}]}"));
  }

  @Test
  void podsWithOtherNumbersOfANamedPort_areInSubsetsOfTheirOwn() {
    EndpointSubsets subsets =
        new EndpointSubsets(service("'ports':[{'name':'web','port':80,'targetPort':'http'}]"));
    subsets.add(pod("a", "10.0.0.1", true, NAMED.formatted(8080)));
    subsets.add(pod("b", "10.0.0.2", true, NAMED.formatted(9090)));
    subsets.add(pod("c", "10.0.0.3", true, "'x':1"));

    assertThat(subsets.build().values()).hasSize(2);
    assertThat(subsets.build().toString()).contains("8080", "9090").doesNotContain("10.0.0.3");
  }

  @Test
  void publishingService_hasAllPodsReady() {
    EndpointSubsets subsets =
        new EndpointSubsets(service("'publishNotReadyAddresses':true,'ports':[{'port':80}]"));
    subsets.add(pod("a", "10.0.0.1", false, "'x':1"));

    assertThat(subsets.build().toString()).contains("addresses").doesNotContain("notReady");
  }

  @Test
  void headlessServiceWithoutPorts_hasAddressesWithHostnames() {
    EndpointSubsets subsets = new EndpointSubsets(service("'clusterIP':'None'"));
    subsets.add(pod("a", "10.0.0.1", true, "'hostname':'a','subdomain':'web'"));

    Node subset = subsets.build().values().getFirst();
    assertThat(subset)
        .isEqualTo(
            CustomTypes.tree(
                "{'addresses':[{'ip':'10.0.0.1','hostname':'a','nodeName':'n','targetRef':{"
                    + "'kind':'Pod','namespace':'default','name':'a','uid':'a'}}]}"));
  }

  @Test
  void manyPods_areCutAtAThousand_theReadyFirst() {
    EndpointSubsets subsets = new EndpointSubsets(service("'ports':[{'port':80}]"));
    for (int i = 0; i < 1001; i++) {
      subsets.add(pod("p" + i, "10.0." + i / 250 + "." + i % 250, i > 0, "'x':1"));
    }

    assertThat(subsets.truncated()).isTrue();
    assertThat(subsets.build().toString()).doesNotContain("notReady");
  }

  @ParameterizedTest
  @CsvSource({
    "600, 900, 0, 400, 600, 0, 0",
    "300, 300, 500, 300, 300, 250, 150",
    "400, 600, 9, 400, 600, 0, 0",
  })
  void subsets_haveSharesOfAThousand(
      int first, int second, int others, int left, int right, int leftOthers, int rightOthers) {
    EndpointSubsets subsets =
        new EndpointSubsets(service("'ports':[{'name':'web','port':80,'targetPort':'http'}]"));
    add(subsets, "a", 8080, first, true);
    add(subsets, "b", 9090, second, true);
    add(subsets, "c", 8080, others, false);
    add(subsets, "d", 9090, others * 3 / 5, false);

    assertThat(subsets.truncated()).isTrue();
    assertThat(
            subsets.build().values().stream()
                .map(MapNode.class::cast)
                .map(
                    subset ->
                        List.of(
                            subset.items("addresses").size(),
                            subset.items("notReadyAddresses").size())))
        .containsExactlyInAnyOrder(List.of(left, leftOthers), List.of(right, rightOthers));
  }

  private static void add(
      EndpointSubsets subsets, String name, int port, int count, boolean ready) {
    for (int i = 0; i < count; i++) {
      int net = name.charAt(0) - 'a';
      subsets.add(
          pod(name + i, "10." + net + "." + i / 250 + "." + i % 250, ready, NAMED.formatted(port)));
    }
  }
}
