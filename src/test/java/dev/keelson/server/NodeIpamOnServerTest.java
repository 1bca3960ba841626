package dev.keelson.server;

import static dev.keelson.server.WorkloadFixture.EVENTS;
import static dev.keelson.server.WorkloadFixture.NODES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.controller.ipam.NodeIpamController;
import dev.keelson.controller.ipam.NodeRanges;
import dev.keelson.controller.ipam.NodeRanges.Range;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import dev.keelson.value.Cidr;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The blocks of nodes on a server. */
@Timeout(120)
class NodeIpamOnServerTest {

  private WorkloadFixture fixture;

  @BeforeEach
  void open(@TempDir Path directory) throws Exception {
    fixture = new WorkloadFixture(directory);
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  private void run(List<Cidr> excluded, Range... ranges) throws InterruptedException {
    fixture.run(
        context -> new NodeIpamController(context, new NodeRanges(List.of(ranges), excluded)));
  }

  private static Range range(String cidr, int length) {
    return new Range(Cidr.parse(cidr), length);
  }

  private void node(String name, String spec) throws InterruptedException {
    ApiObject unused =
        fixture.create(NODES, "Node", "{'metadata':{'name':'" + name + "'},'spec':{" + spec + "}}");
  }

  private List<String> cidrs(String name) {
    try {
      List<String> cidrs = new ArrayList<>();
      for (Node cidr :
          fixture.user.get(NODES, "", name).orElseThrow().root().map("spec").items("podCIDRs")) {
        cidrs.add(cidr instanceof Node.Text text ? text.value() : "");
      }
      return cidrs;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void expect(String name, String... cidrs) {
    Eventually.assertEventually(() -> assertThat(cidrs(name)).containsExactly(cidrs));
  }

  private void delete(String name) throws InterruptedException {
    fixture.user.delete(NODES, "", name, new DeleteRequest("", "", Dependents.BACKGROUND));
  }

  @Test
  void nodes_getBlocksOfEveryRange_besideThoseThatAreTaken() throws Exception {
    node("old", "'podCIDR':'10.244.1.0/24','podCIDRs':['10.244.1.0/24','fd00:10:244::/64']");
    node("foreign", "'podCIDR':'192.168.0.0/24','podCIDRs':['192.168.0.0/24']");
    run(
        List.of(Cidr.parse("10.244.0.0/24")),
        range("10.244.0.0/16", 24),
        range("fd00:10:244::/56", 64));

    node("a", "");
    expect("a", "10.244.2.0/24", "fd00:10:244:1::/64");
    node("b", "");
    expect("b", "10.244.3.0/24", "fd00:10:244:2::/64");
    assertThat(cidrs("old")).containsExactly("10.244.1.0/24", "fd00:10:244::/64");
    assertThat(cidrs("foreign")).containsExactly("192.168.0.0/24");
    assertThat(fixture.user.get(NODES, "", "a").orElseThrow().root().map("spec").text("podCIDR"))
        .isEqualTo("10.244.2.0/24");
  }

  @Test
  void blocksOfDeletedNodes_areGivenAgain_andNodesWaitForThem() throws Exception {
    run(List.of(), range("10.0.0.0/23", 24));
    node("a", "");
    expect("a", "10.0.0.0/24");
    node("b", "");
    expect("b", "10.0.1.0/24");

    node("c", "");
    Eventually.assertEventually(
        () -> assertThat(events("c")).contains("Node c status is now: CIDRNotAvailable"));
    assertThat(cidrs("c")).isEmpty();
    delete("a");

    expect("c", "10.0.0.0/24");
  }

  private List<String> events(String node) {
    try {
      return fixture.user.list(ApiClient.Selection.of(EVENTS)).stream()
          .filter(event -> event.root().map("involvedObject").text("name").equals(node))
          .map(event -> event.root().text("message"))
          .toList();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nodeThatSomebodyElseHasGivenABlock_keepsIt() throws Exception {
    run(List.of(), range("10.0.0.0/22", 24));
    node("a", "'podCIDR':'10.0.0.0/24','podCIDRs':['10.0.0.0/24']");
    ApiObject labelled =
        fixture
            .user
            .patch(
                NODES,
                "",
                "a",
                "",
                Patch.MERGE,
                CustomTypes.tree("{'metadata':{'labels':{'k':'v'}}}"))
            .object();
    assertThat(labelled.meta().labels()).containsEntry("k", "v");

    node("b", "");
    expect("b", "10.0.1.0/24");
    assertThat(cidrs("a")).containsExactly("10.0.0.0/24");
  }
}
