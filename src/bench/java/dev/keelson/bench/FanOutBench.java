package dev.keelson.bench;

import dev.keelson.server.PlainServer;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the events per second that the server delivers to many watchers without TLS. Server and
 * clients share a process; the limit is the throughput of plain sockets between two threads of the
 * same process, in pieces of the size of the server's writes.
 */
public final class FanOutBench {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final int WRITERS = 8;
  private static final int WARM = 1500;
  private static final int CHANGES = 3000;

  private FanOutBench() {}

  /** Runs it and leaves {@code target/bench/fanout.txt}. */
  public static void main(String... arguments) throws Exception {
    Path directory = Files.createDirectories(Path.of("target", "bench"));
    try (PrintStream file =
        new PrintStream(
            Files.newOutputStream(directory.resolve("fanout.txt")), true, StandardCharsets.UTF_8)) {
      for (int watchers : new int[] {100, 1000}) {
        String line = measure(directory, watchers);
        file.println(line);
        System.out.println(line);
      }
    }
  }

  private static String measure(Path directory, int watchers) throws Exception {
    try (PlainServer server =
            PlainServer.start(
                List.of(
                    "--data-dir=" + Files.createTempDirectory(directory, "fanout"),
                    "--max-requests-inflight=0",
                    "--max-mutating-requests-inflight=0"));
        HttpClient client = HttpClient.newHttpClient();
        Readers readers = new Readers()) {
      URI base = URI.create("http://127.0.0.1:" + server.port());
      String request =
          "GET "
              + MAPS
              + "?watch=1&resourceVersion="
              + revision(client, base)
              + " HTTP/1.1\r\nHost: bench\r\n\r\n";
      for (int i = 0; i < watchers; i++) {
        readers.open(server.port(), request);
      }
      readers.start();
      change(client, base, "warm", WARM);
      readers.await((long) WARM * watchers);
      long begin = System.nanoTime();
      long cpu = processCpu() - readers.cpu();
      change(client, base, "timed", CHANGES);
      long written = System.nanoTime();
      readers.await((long) (WARM + CHANGES) * watchers);
      long end = System.nanoTime();
      long spent = processCpu() - readers.cpu() - cpu;
      double events = (double) CHANGES * watchers;
      double rate = events / ((end - begin) / 1e9);
      double mean = readers.bytes() / ((double) readers.events());
      return String.format(
          Locale.ROOT,
          "%,d watchers, no TLS: %,.0f events/s (%.0f bytes each), %.2f microseconds of CPU an"
              + " event without the readers, %,.0f changes/s written; plain sockets %,.0f such"
              + " pieces/s",
          watchers,
          rate,
          mean,
          spent / 1e3 / events,
          CHANGES / ((written - begin) / 1e9),
          limit(watchers, (int) mean));
    }
  }

  private static long processCpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static void change(HttpClient client, URI base, String prefix, int count)
      throws Exception {
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        all.add(
            threads.submit(
                () -> {
                  for (int n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
                    create(client, base, prefix + "-" + n);
                  }
                  return null;
                }));
      }
      for (Future<?> each : all) {
        Object unused = each.get();
      }
    }
  }

  private static void create(HttpClient client, URI base, String name) throws Exception {
    String body =
        "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"k\":\"%s\"}}".formatted(name, "v".repeat(900));
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(base.resolve(MAPS))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 201) {
      throw new IllegalStateException(answer.body());
    }
  }

  private static String revision(HttpClient client, URI base) throws Exception {
    String list =
        client
            .send(
                HttpRequest.newBuilder(base.resolve(MAPS)).build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    String mark = "\"resourceVersion\":\"";
    int at = list.indexOf(mark) + mark.length();
    return list.substring(at, list.indexOf('"', at));
  }

  /** The same number of pieces over as many sockets, from one thread to another. */
  private static double limit(int watchers, int size) throws Exception {
    int rounds = 4000 * 100 / watchers;
    try (ServerSocketChannel listener = ServerSocketChannel.open();
        Readers readers = new Readers()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
      List<SocketChannel> ends = new ArrayList<>();
      for (int i = 0; i < watchers; i++) {
        readers.open(port, "");
        ends.add(listener.accept());
      }
      readers.start();
      byte[] piece = new byte[size];
      piece[size - 2] = '}';
      piece[size - 1] = '\n';
      ByteBuffer buffer = ByteBuffer.allocateDirect(size).put(piece).flip();
      long begin = System.nanoTime();
      for (int round = 0; round < rounds; round++) {
        for (SocketChannel end : ends) {
          ByteBuffer turn = buffer.duplicate();
          while (turn.hasRemaining()) {
            int unused = end.write(turn);
          }
        }
      }
      readers.await((long) rounds * watchers);
      double seconds = (System.nanoTime() - begin) / 1e9;
      for (SocketChannel end : ends) {
        end.close();
      }
      return (double) rounds * watchers / seconds;
    }
  }

  /**
   * One thread that reads everything and counts the events: each ends with a brace and a newline.
   */
  private static final class Readers implements AutoCloseable {
    private final Selector selector = Selector.open();
    private final List<SocketChannel> channels = new ArrayList<>();
    private final Thread thread = new Thread(this::read, "readers");
    private volatile long events;
    private volatile long bytes;
    private volatile long cpu;
    private volatile boolean closed;

    Readers() throws IOException {}

    void open(int port, String request) throws IOException {
      SocketChannel channel =
          SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      ByteBuffer head = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
      while (head.hasRemaining()) {
        int unused = channel.write(head);
      }
      channel.configureBlocking(false);
      SelectionKey unused = channel.register(selector, SelectionKey.OP_READ);
      channels.add(channel);
    }

    void start() {
      thread.start();
    }

    long events() {
      return events;
    }

    long bytes() {
      return bytes;
    }

    /** Processor time of the reading thread, in nanoseconds. */
    long cpu() {
      return cpu;
    }

    void await(long count) {
      long deadline = System.nanoTime() + 120_000_000_000L;
      while (events < count) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("only " + events + " of " + count + " events came");
        }
        LockSupport.parkNanos(200_000);
      }
    }

    private void read() {
      ByteBuffer buffer = ByteBuffer.allocateDirect(256 * 1024);
      byte[] plain = new byte[buffer.capacity()];
      long counted = 0;
      long read = 0;
      try {
        while (!closed) {
          int ready = selector.select(50);
          for (SelectionKey key : selector.selectedKeys()) {
            buffer.clear();
            int size = ((SocketChannel) key.channel()).read(buffer);
            if (size < 0) {
              key.cancel();
              continue;
            }
            read += size;
            buffer.flip().get(plain, 0, size);
            for (int i = 1; i < size; i++) {
              if (plain[i] == '\n' && plain[i - 1] == '}') {
                counted++;
              }
            }
          }
          selector.selectedKeys().clear();
          if (ready > 0) {
            bytes = read;
            events = counted;
            cpu =
                ManagementFactory.getThreadMXBean()
                    .getThreadCpuTime(Thread.currentThread().threadId());
          }
        }
      } catch (IOException e) {
        if (!closed) {
          throw new java.io.UncheckedIOException(e);
        }
      }
    }

    @Override
    public void close() throws Exception {
      closed = true;
      Selector unused = selector.wakeup();
      thread.join();
      for (SocketChannel channel : channels) {
        channel.close();
      }
      selector.close();
    }
  }
}
