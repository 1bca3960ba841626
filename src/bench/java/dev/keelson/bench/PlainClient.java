package dev.keelson.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * One connection over TLS that sends requests of HTTP/1.1 one after another. It does as little as
 * it can: the load runs on the processors that are measured. Belongs to one thread.
 */
final class PlainClient implements AutoCloseable {

  private final SSLSocket socket;
  private final InputStream in;
  private final OutputStream out;
  private final String headers;

  /**
   * Connects.
   *
   * @param token a bearer token, or empty
   */
  PlainClient(URI server, SSLContext tls, String token) throws IOException {
    socket = (SSLSocket) tls.getSocketFactory().createSocket(server.getHost(), server.getPort());
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 15);
    out = socket.getOutputStream();
    headers =
        " HTTP/1.1\r\nHost: "
            + server.getAuthority()
            + (token.isEmpty() ? "" : "\r\nAuthorization: Bearer " + token)
            + "\r\nUser-Agent: bench\r\n";
  }

  /**
   * Sends a request and reads its answer.
   *
   * @param type the media type of the body
   * @param expected the status that the answer must have
   * @return the answer's body
   */
  byte[] send(String method, String path, String type, String body, int expected)
      throws IOException {
    Answer answer = exchange(method, path, type, body);
    if (answer.status != expected) {
      throw failure(method, path, answer);
    }
    return answer.body;
  }

  /** Sends a request whose answer may have any status of success, and reads its body. */
  byte[] sendAny(String method, String path, String type, String body) throws IOException {
    Answer answer = exchange(method, path, type, body);
    if (answer.status / 100 != 2) {
      throw failure(method, path, answer);
    }
    return answer.body;
  }

  /** Sends a request, reads its answer and returns the status. */
  int status(String method, String path, String type, String body) throws IOException {
    return exchange(method, path, type, body).status;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Answer(int status, byte[] body) {}

  private static IllegalStateException failure(String method, String path, Answer answer) {
    return new IllegalStateException(
        method
            + " "
            + path
            + ": "
            + answer.status
            + " "
            + new String(answer.body, StandardCharsets.UTF_8));
  }

  private Answer exchange(String method, String path, String type, String body) throws IOException {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    byte[] head =
        (method
                + " "
                + path
                + headers
                + (content.length == 0 ? "" : "Content-Type: " + type + "\r\n")
                + "Content-Length: "
                + content.length
                + "\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8);
    byte[] request = new byte[head.length + content.length];
    System.arraycopy(head, 0, request, 0, head.length);
    System.arraycopy(content, 0, request, head.length, content.length);
    out.write(request);
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    int length = -1;
    boolean chunked = false;
    for (String line = line(); !line.isEmpty(); line = line()) {
      String header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
      chunked |= header.equals("transfer-encoding: chunked");
    }
    if (length < 0 && !chunked) {
      throw new IllegalStateException(method + " " + path + ": an answer without its length");
    }
    return new Answer(status, chunked ? chunks() : in.readNBytes(length));
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      all.write(in.readNBytes(size));
      String unused = line();
    }
    String unused = line();
    return all.toByteArray();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line().strip(), 16);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder(64);
    while (true) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the server has closed the connection");
      }
      if (next == '\n') {
        return line.toString();
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
