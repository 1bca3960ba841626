package dev.keelson.server.controller;

import dev.keelson.controller.service.PortAllocations;
import dev.keelson.registry.service.PortBitmap;
import dev.keelson.registry.service.StoredNodePorts;
import java.util.Set;
import java.util.TreeSet;

/** The allocated node ports in the store, for the repair. */
public final class StoredPortAllocations implements PortAllocations {

  private final StoredNodePorts ports;

  public StoredPortAllocations(StoredNodePorts ports) {
    this.ports = ports;
  }

  @Override
  public boolean inRange(int port) {
    return ports.configured().contains(port);
  }

  @Override
  public String range() {
    return ports.configured().range();
  }

  @Override
  public State read() {
    StoredNodePorts.Stored stored = ports.read();
    Set<Integer> taken = new TreeSet<>();
    PortBitmap bitmap = stored.ports();
    for (int bit = bitmap.taken().getLowestSetBit(); bit >= 0; bit = after(bitmap, bit)) {
      taken.add(bitmap.first() + bit);
    }
    return new State(taken, bitmap.range().equals(range()), stored.revision());
  }

  private static int after(PortBitmap bitmap, int bit) {
    int rest = bitmap.taken().shiftRight(bit + 1).getLowestSetBit();
    return rest < 0 ? -1 : bit + 1 + rest;
  }

  @Override
  public boolean replace(Set<Integer> taken, long revision) {
    PortBitmap bitmap = ports.configured();
    for (int port : taken) {
      bitmap = bitmap.with(port);
    }
    return ports.replace(bitmap, revision);
  }

  @Override
  public void removeFormer() {
    ports.removeFormerKeys();
  }
}
