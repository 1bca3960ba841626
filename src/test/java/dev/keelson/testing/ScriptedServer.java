package dev.keelson.testing;

import dev.keelson.client.rest.ApiTransport;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A transport whose answers are given by method and path. JSON is given with single quotes; a
 * status other than 200 stands before it, with a colon. What is not given is not found.
 */
public final class ScriptedServer implements ApiTransport {

  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();

  /** Answers a request, such as {@code GET /api/v1}, from now on. */
  public ScriptedServer answer(String request, String answer) {
    answers.put(request, answer);
    return this;
  }

  /** The requests so far by method and path. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** The bodies of requests that had one. */
  public List<String> bodies() {
    return List.copyOf(bodies);
  }

  /** An error with a reason, as an answer. */
  public static String error(int code, String reason) {
    return code
        + ":{'kind': 'Status', 'status': 'Failure', 'code': %d, 'reason': '%s', 'message': 'told'}"
            .formatted(code, reason);
  }

  @Override
  public Answer send(Request request) {
    String key = request.method() + " " + request.path();
    requests.add(key);
    if (request.body().length > 0) {
      bodies.add(new String(request.body(), StandardCharsets.UTF_8));
    }
    String answer = answers.getOrDefault(key, error(404, "NotFound"));
    int colon = Character.isDigit(answer.charAt(0)) ? answer.indexOf(':') : -1;
    byte[] body = answer.substring(colon + 1).replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return new Answer(colon < 0 ? 200 : Integer.parseInt(answer.substring(0, colon)), body);
  }

  @Override
  public Answer send(Request request, TimeLimit limit) {
    return send(request);
  }

  /** A watch without events. */
  @Override
  public EventStream watch(Request request) {
    BlockingQueue<byte[]> none = new LinkedBlockingQueue<>();
    return new EventStream() {
      @Override
      public byte[] next() throws InterruptedException {
        return none.take();
      }

      @Override
      public void close() {
        // nothing is open
      }
    };
  }
}
