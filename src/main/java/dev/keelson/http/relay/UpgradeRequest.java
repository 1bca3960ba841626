package dev.keelson.http.relay;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.value.HostPort;
import io.vertx.core.AsyncResult;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A request for another protocol: WebSocket, or SPDY by POST, which Vert.x's HTTP client cannot ask
 * for. It has a connection of its own; after the status 101 the bytes of both sides pass as they
 * come. Any other status is passed on with its body, if that is short and its length is known.
 */
public final class UpgradeRequest implements Outbound {

  private static final Logger LOG = Logger.getLogger(UpgradeRequest.class);

  private final Connections pool;
  private final Head head;
  private final SocketAddress address;
  private final Switch onSwitch;
  private final CompletableFuture<ApiResponse> response = new CompletableFuture<>();
  private final UpgradeResponse received = new UpgradeResponse();
  private @Nullable NetSocket server;
  private boolean cancelled;

  private UpgradeRequest(Connections pool, Head head, SocketAddress address, Switch onSwitch) {
    this.pool = pool;
    this.head = head;
    this.address = address;
    this.onSwitch = onSwitch;
  }

  /**
   * A request that is not sent yet. May block, for the name of an ExternalName Service.
   *
   * @throws UnknownHostException if the name of the server has no address
   */
  public static UpgradeRequest of(Connections pool, Head head, Switch onSwitch)
      throws UnknownHostException {
    // the name is what the certificate is verified for, the address is what is connected to
    InetAddress found = InetAddress.getByName(head.target().address().getHostString());
    InetAddress named = InetAddress.getByAddress(head.target().host(), found.getAddress());
    return new UpgradeRequest(
        pool,
        head,
        SocketAddress.inetSocketAddress(
            new InetSocketAddress(named, head.target().address().getPort())),
        onSwitch);
  }

  @Override
  public boolean begin() {
    pool.sockets().connect(address, head.target().host()).onComplete(this::send);
    return false;
  }

  private void send(AsyncResult<NetSocket> connected) {
    if (connected.failed()) {
      boolean unused = response.completeExceptionally(connected.cause());
      return;
    }
    NetSocket socket = connected.result();
    server = socket;
    if (cancelled) {
      close();
      return;
    }
    socket.handler(this::receive);
    socket.exceptionHandler(response::completeExceptionally);
    socket.closeHandler(
        closed -> {
          boolean unused =
              response.completeExceptionally(new IOException("the connection was closed"));
        });
    socket.write(text()).onFailure(response::completeExceptionally);
  }

  private Buffer text() {
    StringBuilder text = new StringBuilder(1024);
    text.append(head.method()).append(' ').append(head.uri()).append(" HTTP/1.1\r\n");
    text.append("Host: ")
        .append(HostPort.join(head.target().host(), Integer.toString(head.target().port())))
        .append("\r\n");
    for (Map.Entry<String, String> header : head.headers()) {
      text.append(header.getKey()).append(": ").append(header.getValue()).append("\r\n");
    }
    // as bytes: header values have one character a byte
    return Buffer.buffer(text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  private void receive(Buffer bytes) {
    try {
      if (received.add(bytes)) {
        answer();
      }
    } catch (IOException e) {
      boolean unused = response.completeExceptionally(e);
      close();
    }
  }

  private void answer() throws IOException {
    NetSocket socket = server;
    if (socket == null) {
      return;
    }
    if (received.status() == 101) {
      socket.pause();
      socket.handler(null);
      boolean unused = response.complete(onSwitch.to(socket, received.headers(), received.rest()));
      return;
    }
    if (received.status() < 400) {
      throw new IOException("invalid upgrade response: status code " + received.status());
    }
    boolean unused =
        response.complete(
            new ApiResponse(
                received.status(),
                PassedHeaders.response(received.headers(), /* upgraded= */ false).stream()
                    .filter(header -> !header.name().equalsIgnoreCase("Content-Length"))
                    .toList(),
                Body.Payload.of(received.body())));
    close();
  }

  @Override
  public CompletableFuture<ApiResponse> response() {
    return response;
  }

  @Override
  public void cancel() {
    cancelled = true;
    close();
    boolean unused = response.completeExceptionally(new Body.ClientGoneException());
  }

  private void close() {
    NetSocket socket = server;
    if (socket != null) {
      socket.close().onFailure(e -> LOG.debugf("event=connection-not-closed error=%s", e));
    }
  }

  @Override
  public void finish() {
    close();
  }

  /** What becomes of a connection whose server has switched protocols. */
  @FunctionalInterface
  public interface Switch {

    /** The bytes of both sides pass as they come. */
    Switch PASS =
        (server, headers, first) ->
            new ApiResponse(
                101,
                PassedHeaders.response(headers, /* upgraded= */ true),
                new Tunnel(server, first));

    /**
     * The response to the client; on the event loop.
     *
     * @param server the connection, paused
     * @param headers those of the server's response
     * @param first what the server has sent in the new protocol already
     */
    ApiResponse to(NetSocket server, MultiMap headers, Buffer first);
  }
}
