package dev.keelson.client.election;

import dev.keelson.client.rest.ApiTransport;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One Lease behind conditional writes, without a server, so that faults can be chosen. */
final class LeaseServer {

  /** What happens to a request. */
  enum Fault {
    NONE,
    /** No answer, and nothing was done. */
    LOST_REQUEST,
    /** No answer, but the write was done. */
    LOST_ANSWER
  }

  private @Nullable MapNode lease;
  private long version;

  synchronized MapNode lease() {
    MapNode current = lease;
    if (current == null) {
      throw new IllegalStateException("there is no lease");
    }
    return current;
  }

  /** A connection whose requests meet faults. */
  ApiTransport transport(java.util.function.Supplier<Fault> faults) {
    return new ApiTransport() {
      @Override
      public Answer send(Request request) throws IOException {
        Fault fault = faults.get();
        if (fault == Fault.LOST_REQUEST) {
          throw new IOException("connection refused");
        }
        Answer answer = handle(request);
        if (fault == Fault.LOST_ANSWER) {
          throw new IOException("connection reset");
        }
        return answer;
      }

      @Override
      public Answer send(Request request, TimeLimit limit) {
        throw new UnsupportedOperationException();
      }

      @Override
      public EventStream watch(Request request) {
        throw new UnsupportedOperationException();
      }
    };
  }

  private synchronized ApiTransport.Answer handle(ApiTransport.Request request) {
    MapNode current = lease;
    return switch (request.method()) {
      case "GET" -> current == null ? failure(404, "NotFound") : success(200, current);
      case "POST" -> current == null ? stored(201, request) : failure(409, "AlreadyExists");
      case "PUT" ->
          current != null
                  && sent(request)
                      .map("metadata")
                      .text("resourceVersion")
                      .equals(Long.toString(version))
              ? stored(200, request)
              : failure(409, "Conflict");
      default -> throw new IllegalArgumentException(request.method());
    };
  }

  private static MapNode sent(ApiTransport.Request request) {
    return (MapNode) ObjectReader.untypedJson(request.body());
  }

  private ApiTransport.Answer stored(int status, ApiTransport.Request request) {
    version++;
    MapNode next = sent(request);
    MapNode metadata =
        next.map("metadata").with("resourceVersion", Node.text(Long.toString(version)));
    MapNode stored = next.with("metadata", metadata);
    lease = stored;
    return success(status, stored);
  }

  private static ApiTransport.Answer success(int status, MapNode body) {
    return new ApiTransport.Answer(status, ObjectWriter.json(body));
  }

  private static ApiTransport.Answer failure(int status, String reason) {
    String body = "{\"kind\":\"Status\",\"reason\":\"" + reason + "\",\"message\":\"no\"}";
    return new ApiTransport.Answer(status, body.getBytes(StandardCharsets.UTF_8));
  }
}
