package dev.keelson.model;

import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The writes of candidates and the holders of the Lease, both by revision of the store: at the
 * revision of a write, its candidate holds the Lease. Safe for use by several threads.
 */
public final class LeaderLog implements ObjectListener<ApiObject> {

  private final Violations violations;

  // guarded by this object
  private final TreeMap<Long, String> holders = new TreeMap<>();
  private List<Write> writes = new ArrayList<>();

  /** The writes before the last settled state, whose holders the watch has told by now. */
  private List<Write> earlier = new ArrayList<>();

  private long checked;
  private long told;

  private record Write(String candidate, long revision, String request) {}

  LeaderLog(Violations violations) {
    this.violations = violations;
  }

  /** A transport that notes the answered writes of a candidate. */
  public ApiTransport of(String candidate, ApiTransport next) {
    return new ApiTransport() {
      @Override
      public Answer send(Request request) throws IOException, InterruptedException {
        long before = latest();
        return noted(request, before, next.send(request));
      }

      @Override
      public Answer send(Request request, TimeLimit limit)
          throws IOException, InterruptedException {
        long before = latest();
        return noted(request, before, next.send(request, limit));
      }

      @Override
      public EventStream watch(Request request) throws IOException, InterruptedException {
        return next.watch(request);
      }

      private Answer noted(Request request, long before, Answer answer) {
        if (!request.isRead() && answer.status() < 300) {
          note(candidate, request, before, answer);
        }
        return answer;
      }
    };
  }

  /** The newest revision that a candidate has been told, or that a holder had. */
  private synchronized long latest() {
    return Math.max(told, holders.isEmpty() ? 0 : holders.lastKey());
  }

  /**
   * An answer with a revision that was known before the request is that of a request that changed
   * nothing, such as the deletion of an object that waits for its finalizers.
   */
  private void note(
      String candidate, ApiTransport.Request request, long before, ApiTransport.Answer answer) {
    if (ObjectReader.untypedJson(answer.body()) instanceof MapNode object) {
      String revision = object.map("metadata").text("resourceVersion");
      if (!revision.isEmpty() && Long.parseLong(revision) > before) {
        synchronized (this) {
          told = Math.max(told, Long.parseLong(revision));
          writes.add(
              new Write(
                  candidate, Long.parseLong(revision), request.method() + " " + request.path()));
        }
      }
    }
  }

  /** Checks the writes of the time before the last settled state. */
  synchronized void settled() {
    for (Write write : earlier) {
      Map.Entry<Long, String> holder = holders.floorEntry(write.revision());
      violations.check(
          holder != null && holder.getValue().equals(write.candidate()),
          "%s by %s at revision %d, when the holder was %s",
          write.request(),
          write.candidate(),
          write.revision(),
          holder);
    }
    checked += earlier.size();
    earlier = writes;
    writes = new ArrayList<>();
  }

  /** How many writes were checked. */
  synchronized long checked() {
    return checked;
  }

  /** How many holders there were. */
  synchronized long terms() {
    String last = "";
    long terms = 0;
    for (String holder : holders.values()) {
      terms += holder.isEmpty() || holder.equals(last) ? 0 : 1;
      last = holder;
    }
    return terms;
  }

  private synchronized void held(ApiObject lease) {
    holders.put(
        Long.parseLong(lease.meta().resourceVersion()),
        lease.root().map("spec").text("holderIdentity"));
  }

  @Override
  public void added(ObjectName name, ApiObject lease) {
    held(lease);
  }

  @Override
  public void updated(ObjectName name, ApiObject before, ApiObject after) {
    held(after);
  }

  @Override
  public void deleted(ObjectName name, ApiObject last) {
    violations.check(false, "the lease was deleted");
  }
}
