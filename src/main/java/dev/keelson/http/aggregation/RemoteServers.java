package dev.keelson.http.aggregation;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiService.Backend;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/** Asks the servers behind remote APIServices, all at the same time: one that hangs delays none. */
final class RemoteServers {

  private RemoteServers() {}

  /** Reads documents of one server. */
  @FunctionalInterface
  interface Reader {

    /**
     * Reads; blocks for a bounded time.
     *
     * @param services those of the server, by name
     * @return whether what was to be read was read
     */
    boolean read(Backend server, List<ApiService> services);
  }

  /**
   * Reads from the servers of these APIServices.
   *
   * @return the names of the servers that were not read, in alphabetical order
   * @throws InterruptedException if the thread is interrupted; what runs is then interrupted too
   */
  static Collection<String> read(Collection<ApiService> services, Reader reader)
      throws InterruptedException {
    Map<Backend, List<ApiService>> servers = new LinkedHashMap<>();
    services.stream()
        .sorted(Comparator.comparing(ApiService::name))
        .forEach(
            service -> {
              Backend backend = service.backend();
              if (backend != null) {
                servers.computeIfAbsent(backend, server -> new ArrayList<>()).add(service);
              }
            });
    Collection<String> unread = new ConcurrentSkipListSet<>();
    List<Thread> threads = new ArrayList<>(servers.size());
    servers.forEach(
        (server, theirs) ->
            threads.add(
                Thread.ofVirtual()
                    .name("remote " + server.serverName())
                    .start(
                        () -> {
                          if (!reader.read(server, theirs)) {
                            unread.add(server.serverName());
                          }
                        })));
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } finally {
      threads.forEach(Thread::interrupt);
    }
    return new TreeSet<>(unread);
  }
}
