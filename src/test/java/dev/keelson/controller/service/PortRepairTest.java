package dev.keelson.controller.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.controller.service.RepairMetrics.Fault;
import dev.keelson.object.ApiObject;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PortRepairTest {

  private NetworkFixture network;
  private final Allocations allocations = new Allocations();
  private PortRepair repair;

  /** Ports in memory; a change by others can come before each replacement. */
  private static final class Allocations implements PortAllocations {
    private Set<Integer> ports = new TreeSet<>();
    private boolean sameRange = true;
    private long revision = 1;
    private int replacements;
    private int othersFirst;

    @Override
    public boolean inRange(int port) {
      return port >= 30000 && port <= 30099;
    }

    @Override
    public String range() {
      return "30000-30099";
    }

    @Override
    public State read() {
      return new State(Set.copyOf(ports), sameRange, revision);
    }

    @Override
    public boolean replace(Set<Integer> next, long expected) {
      if (othersFirst > 0) {
        othersFirst--;
        revision++;
        ports.add(30050);
      }
      if (expected != revision) {
        return false;
      }
      ports = new TreeSet<>(next);
      sameRange = true;
      revision++;
      replacements++;
      return true;
    }

    @Override
    public void removeFormer() {
      throw new IllegalStateException("not part of a pass");
    }
  }

  @BeforeEach
  void open(@TempDir Path directory) {
    network = new NetworkFixture(directory);
    repair =
        new PortRepair(
            network.client, network, network.state, allocations, network.events, network.metrics);
  }

  @AfterEach
  void close() {
    network.close();
  }

  private void service(String name, String ports) {
    ApiObject unused = network.service(name, "{'type':'NodePort','ports':[" + ports + "]}");
  }

  @Test
  void rightPorts_areNotWritten() throws Exception {
    service("a", "{'port':80,'nodePort':30001}");
    allocations.ports.add(30001);

    repair.run();

    assertThat(allocations.replacements).isZero();
    assertThat(network.reasons()).isEmpty();
  }

  @Test
  void missingPort_isAdded() throws Exception {
    service("a", "{'port':80,'nodePort':30001}");

    repair.run();

    assertThat(allocations.ports).containsExactly(30001);
    assertThat(network.reasons()).containsExactly("PortNotAllocated");
    assertThat(network.counted).containsEntry(Fault.REPAIR, 1);
  }

  @Test
  void portWithoutAService_isReleasedInTheThirdPass() throws Exception {
    allocations.ports.add(30002);

    for (int i = 0; i < 2; i++) {
      repair.run();
      assertThat(allocations.ports).containsExactly(30002);
    }
    repair.run();

    assertThat(allocations.ports).isEmpty();
    assertThat(network.counted).containsEntry(Fault.LEAK, 1);
  }

  @Test
  void portThatGetsItsService_isKept() throws Exception {
    allocations.ports.add(30002);
    repair.run();
    repair.run();
    service("a", "{'port':80,'nodePort':30002}");
    repair.run();
    repair.run();
    repair.run();

    assertThat(allocations.ports).containsExactly(30002);
  }

  @Test
  void portOutOfRange_isTold() throws Exception {
    service("a", "{'port':80,'nodePort':30500}");

    repair.run();

    assertThat(allocations.ports).isEmpty();
    assertThat(network.reasons()).containsExactly("PortOutOfRange");
  }

  @Test
  void portOfTwoProtocols_isOnePort() throws Exception {
    service(
        "a",
        "{'name':'t','port':53,'nodePort':30001},"
            + "{'name':'u','port':53,'nodePort':30001,'protocol':'UDP'}");
    allocations.ports.add(30001);

    repair.run();

    assertThat(network.reasons()).isEmpty();
  }

  @Test
  void portsOfAnotherRange_areWrittenForThisOne() throws Exception {
    service("a", "{'port':80,'nodePort':30001}");
    allocations.ports.addAll(Set.of(30001, 31000));
    allocations.sameRange = false;

    repair.run();

    assertThat(allocations.ports).containsExactly(30001);
    assertThat(allocations.sameRange).isTrue();
  }

  @Test
  void portThatIsAllocatedMeanwhile_isNotLost() throws Exception {
    service("a", "{'port':80,'nodePort':30001}");
    allocations.othersFirst = 1;

    repair.run();

    assertThat(allocations.ports).containsExactly(30001, 30050);
  }
}
