package dev.keelson.server.store;

import java.util.List;

/** The compactions of the parts of the store, each at revisions of its own. */
public record Compactions(List<Compaction> all) implements AutoCloseable {

  public Compactions {
    all = List.copyOf(all);
  }

  /** Starts each of them. */
  public void start() {
    all.forEach(Compaction::start);
  }

  @Override
  public void close() {
    all.forEach(Compaction::close);
  }
}
