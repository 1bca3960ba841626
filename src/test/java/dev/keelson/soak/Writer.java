package dev.keelson.soak;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.keelson.soak.Api.Away;
import dev.keelson.soak.Api.Response;
import dev.keelson.soak.Operation.Call;
import dev.keelson.soak.Operation.Create;
import dev.keelson.soak.Operation.Delete;
import dev.keelson.soak.Operation.Deleted;
import dev.keelson.soak.Operation.Found;
import dev.keelson.soak.Operation.Get;
import dev.keelson.soak.Operation.ListAll;
import dev.keelson.soak.Operation.Outcome;
import dev.keelson.soak.Operation.Patch;
import dev.keelson.soak.Operation.Reason;
import dev.keelson.soak.Operation.Refused;
import dev.keelson.soak.Operation.Unknown;
import dev.keelson.soak.Operation.Update;
import dev.keelson.soak.Operation.Written;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Requests that change or read one object, chosen at random. */
final class Writer {

  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String STRATEGIC_PATCH = "application/strategic-merge-patch+json";
  private static final String JSON_PATCH = "application/json-patch+json";

  private final Names names;
  private final ClientLog log;
  private final AtomicLong tokens;

  /**
   * A client.
   *
   * @param tokens counts the contents of the run
   */
  Writer(Names names, ClientLog log, AtomicLong tokens) {
    this.names = names;
    this.log = log;
    this.tokens = tokens;
  }

  /** One change. */
  void write(Api api, Random random) throws Away, InterruptedException {
    String key = names.key(random);
    String token = "t" + tokens.incrementAndGet();
    long known = log.versions.getOrDefault(key, 0L);
    long expected = random.nextInt(3) == 0 ? known : 0;
    Call call =
        switch (random.nextInt(8)) {
          case 0 -> new Delete(key, expected);
          case 1, 2, 3 -> new Create(key, token);
          case 4, 5 -> new Update(key, token, expected);
          default -> new Patch(key, token, expected);
        };
    execute(api, call, random);
  }

  /** One read of the newest state. */
  void get(Api api, Random random) throws Away, InterruptedException {
    String key = names.key(random);
    long floor = log.newestWrite();
    if (execute(api, new Get(key), random) instanceof Found found) {
      log.add(new Observations.Got(key, floor, found.revision()));
    }
  }

  /**
   * Creates an object.
   *
   * @return its revision, or 0 if there was one of the name or no answer
   */
  long create(Api api, String key, Random random) throws Away, InterruptedException {
    Create call = new Create(key, "t" + tokens.incrementAndGet());
    return execute(api, call, random) instanceof Written written ? written.revision() : 0;
  }

  private Outcome execute(Api api, Call call, Random random) throws Away, InterruptedException {
    long begun = System.nanoTime();
    try {
      Outcome outcome = outcome(call, send(api, call, random));
      log.add(call, outcome, begun);
      return outcome;
    } catch (Away e) {
      if (!(call instanceof Get)) {
        log.add(call, e.untried() ? new Refused(Reason.NOT_TRIED) : new Unknown(), begun);
      }
      throw e;
    }
  }

  private Response send(Api api, Call call, Random random) throws Away, InterruptedException {
    String object = Names.path(call.key());
    int group = names.group(random);
    return switch (call) {
      case Create create ->
          api.send(
              "POST", Names.collection(call.key()), body(call.key(), create.token(), group, 0));
      case Update update ->
          api.send("PUT", object, body(call.key(), update.token(), group, update.expected()));
      case Patch patch -> patch(api, object, patch, group, random);
      case Delete delete -> api.send("DELETE", object, options(delete.expected()));
      case Get ignored -> api.send("GET", object, "");
      case ListAll ignored -> throw new IllegalArgumentException(call.toString());
    };
  }

  private static Response patch(Api api, String object, Patch patch, int group, Random random)
      throws Away, InterruptedException {
    if (patch.expected() == 0 && random.nextInt(3) == 0) {
      return api.send(
          "PATCH",
          object,
          JSON_PATCH,
          "[{\"op\":\"replace\",\"path\":\"/data/n\",\"value\":\"%s\"}]".formatted(patch.token()));
    }
    String body =
        "{\"metadata\":{%s\"labels\":{\"group\":\"g%d\"}},\"data\":{\"n\":\"%s\"}}"
            .formatted(version(patch.expected()), group, patch.token());
    return api.send("PATCH", object, random.nextBoolean() ? MERGE_PATCH : STRATEGIC_PATCH, body);
  }

  private static String body(String key, String token, int group, long expected) {
    return "{\"metadata\":{%s\"name\":\"%s\",\"labels\":{\"group\":\"g%d\"}},\"data\":{\"n\":\"%s\",\"base\":\"%s\"}}"
        .formatted(version(expected), Names.name(key), group, token, token);
  }

  private static String version(long expected) {
    return expected == 0 ? "" : "\"resourceVersion\":\"" + expected + "\",";
  }

  private static String options(long expected) {
    return expected == 0 ? "" : "{\"preconditions\":{\"resourceVersion\":\"" + expected + "\"}}";
  }

  private static Outcome outcome(Call call, Response answer) {
    JsonObject body = answer.body();
    String reason = text(body, "reason");
    return switch (answer.code()) {
      case 200, 201 -> success(call, answer);
      case 404 -> call instanceof Get ? new Found(0) : new Refused(Reason.ABSENT);
      case 409 -> new Refused(reason.equals("AlreadyExists") ? Reason.EXISTS : Reason.CONFLICT);
      default -> throw new AssertionError(call + " was answered with " + answer);
    };
  }

  private static Outcome success(Call call, Response answer) {
    JsonObject body = answer.body();
    return switch (call) {
      case Get ignored -> new Found(answer.revision());
      case Delete ignored ->
          new Deleted(
              body.getAsJsonObject(text(body, "kind").equals("Status") ? "details" : "metadata")
                  .get("uid")
                  .getAsString());
      default -> new Written(answer.revision(), ClientLog.value(body));
    };
  }

  private static String text(JsonObject body, String field) {
    JsonElement value = body.get(field);
    return value == null ? "" : value.getAsString();
  }
}
