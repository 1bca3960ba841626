package dev.keelson.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * A raw connection, for requests that no client library would send. Reads time out after 20
 * seconds.
 */
public final class RawConnection implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 20_000;

  private final Socket socket;

  private RawConnection(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  /** An HTTP/1.1 response. */
  public record Response(int status, String head, String body) {}

  /** Without TLS. */
  public static RawConnection plain(URI server) throws IOException {
    return new RawConnection(new Socket(server.getHost(), server.getPort()));
  }

  /** With TLS, and the protocol {@code http/1.1} or {@code h2}. */
  public static RawConnection tls(URI server, SSLContext tls, String protocol) throws IOException {
    SSLSocket socket =
        (SSLSocket) tls.getSocketFactory().createSocket(server.getHost(), server.getPort());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    RawConnection connection = new RawConnection(socket);
    socket.startHandshake();
    return connection;
  }

  public OutputStream out() throws IOException {
    return socket.getOutputStream();
  }

  public InputStream in() throws IOException {
    return socket.getInputStream();
  }

  /** Sends the lines of a request on a new connection, and reads the response. */
  public static Response ask(URI server, SSLContext tls, String body, String... head) {
    try (RawConnection connection = tls(server, tls, "http/1.1")) {
      return connection.ask(body, head);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends the lines of a request, and reads the response. */
  public Response ask(String body, String... head) throws IOException {
    String text = String.join("\r\n", head) + "\r\n\r\n" + body;
    out().write(text.getBytes(StandardCharsets.ISO_8859_1));
    out().flush();
    return answer();
  }

  /** Reads the next response, which may be an interim one. */
  public Response answer() throws IOException {
    InputStream in = in();
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    while (!read.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int one = in.read();
      if (one < 0) {
        throw new IOException("the connection ended after: " + read);
      }
      read.write(one);
    }
    String head = read.toString(StandardCharsets.ISO_8859_1);
    int status = Integer.parseInt(head.split(" ", 3)[1]);
    String lower = head.toLowerCase(Locale.ROOT);
    int at = lower.indexOf("content-length:");
    if (at < 0 && lower.contains("\r\nconnection: close\r\n") && !lower.contains("chunked")) {
      return new Response(status, head, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    if (at < 0 || status < 200) {
      return new Response(status, head, "");
    }
    int length = Integer.parseInt(head.substring(at + 15, head.indexOf('\r', at)).strip());
    return new Response(status, head, new String(in.readNBytes(length), StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
