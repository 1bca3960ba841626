package dev.keelson.blackbox.attack;

import dev.keelson.pem.PemException;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubeconfig;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * The server as a hostile client sees it. Connections come from an address of their own, so that
 * the bound of one address is not that of the client that behaves; they are open until {@link
 * #close}.
 */
public final class Target implements AutoCloseable {

  private static final String FROM = "127.0.0.2";
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** Streams of one connection; fewer in the short run, which shares its processors. */
  private static final int STREAMS = 80;

  private static final int FEW_STREAMS = 20;

  private final URI server;
  private final SSLContext user;
  private final SSLContext nobody;

  /** How many times the short run. */
  private final int factor;

  private final Path tokenKey;
  private final List<Closeable> open = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /** Whose requests are sent. */
  public enum Client {
    NOBODY,
    USER
  }

  public Target(KeelsonProcess server, int factor) {
    Kubeconfig kubeconfig = server.kubeconfig();
    this.server = server.address();
    this.user = kubeconfig.asUser();
    this.nobody = kubeconfig.asNobody();
    this.factor = factor;
    this.tokenKey = server.dataDirectory().resolve("service-account.key");
  }

  /** A path of the server. */
  public URI uri(String path) {
    return server.resolve(path);
  }

  /** The key by which the server signs tokens. */
  PrivateKey tokenKey() throws IOException {
    try {
      return PemPrivateKeys.read(tokenKey);
    } catch (PemException e) {
      throw new IOException(e);
    }
  }

  private HttpClient http(Client client) throws IOException {
    HttpClient http =
        HttpClient.newBuilder()
            .sslContext(client == Client.USER ? user : nobody)
            .localAddress(InetAddress.getByName(FROM))
            .build();
    open.add(http::shutdownNow);
    return http;
  }

  /** The body of the response to one request of the user. */
  String answer(HttpRequest.Builder request) throws IOException, InterruptedException {
    return http(Client.USER).send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  /** Sends requests over HTTP/2, many at a time; returns how often each status came. */
  public Map<Integer, Integer> flood(Client client, List<HttpRequest.Builder> requests)
      throws IOException, InterruptedException {
    HttpClient http = http(client);
    Semaphore streams = new Semaphore(factor == 1 ? FEW_STREAMS : STREAMS);
    List<CompletableFuture<HttpResponse<Void>>> answers = new ArrayList<>();
    for (HttpRequest.Builder request : requests) {
      streams.acquire();
      answers.add(
          http.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding())
              .whenComplete((answer, error) -> streams.release()));
    }
    Map<Integer, Integer> statuses = new TreeMap<>();
    for (CompletableFuture<HttpResponse<Void>> answer : answers) {
      try {
        int unused = statuses.merge(answer.get().statusCode(), 1, Integer::sum);
      } catch (ExecutionException e) {
        throw new IOException(e);
      }
    }
    return statuses;
  }

  /** So many of the short run, and more of the long one. */
  public int times(int few) {
    return few * factor;
  }

  /** A TCP connection without a word. */
  public Socket silent() throws IOException {
    if (closed) {
      throw new IOException("the attack is over");
    }
    Socket socket = new Socket();
    open.add(socket);
    socket.setReceiveBufferSize(4096);
    socket.bind(new InetSocketAddress(InetAddress.getByName(FROM), 0));
    socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), 20_000);
    socket.setSoTimeout((int) Duration.ofSeconds(20).toMillis());
    return socket;
  }

  private SSLSocket tls(SSLContext context, String protocol, String... versions)
      throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(silent(), server.getHost(), server.getPort(), /* autoClose= */ true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    if (versions.length > 0) {
      parameters.setProtocols(versions);
    }
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /** A connection of HTTP/1.1 without credentials. */
  public SSLSocket stranger() throws IOException {
    return tls(nobody, "http/1.1");
  }

  /** The same over TLS 1.2. */
  SSLSocket oldTls() throws IOException {
    return tls(nobody, "http/1.1", "TLSv1.2");
  }

  /** A connection of HTTP/1.1 of a user who may do everything. */
  public SSLSocket user() throws IOException {
    return tls(user, "http/1.1");
  }

  /** The frames of a connection of HTTP/2 without credentials. */
  public Frames frames() throws IOException {
    return new Frames(tls(nobody, "h2"));
  }

  /** The frames of a connection of HTTP/2 of a user who may do everything. */
  public Frames userFrames() throws IOException {
    return new Frames(tls(user, "h2"));
  }

  /** Sends text. */
  public static void send(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  /** Sends a request and reads the status of its response; 0 if the connection ended before. */
  public static int ask(Socket socket, String text) throws IOException {
    send(socket, text);
    byte[] line = socket.getInputStream().readNBytes(12);
    return line.length < 12
        ? 0
        : Integer.parseInt(new String(line, 9, 3, StandardCharsets.US_ASCII));
  }

  /** Writes frames of HTTP/2; what comes is not read. */
  public static final class Frames {

    private final DataOutputStream out;

    private Frames(Socket socket) throws IOException {
      out = new DataOutputStream(new java.io.BufferedOutputStream(socket.getOutputStream()));
      out.write(PREFACE);
    }

    public void frame(int type, int flags, int stream, byte... payload) throws IOException {
      out.write(payload.length >> 16);
      out.writeShort(payload.length);
      out.write(type);
      out.write(flags);
      out.writeInt(stream);
      out.write(payload);
    }

    public void flush() throws IOException {
      out.flush();
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    for (Closeable each : open) {
      each.close();
    }
    open.clear();
  }
}
