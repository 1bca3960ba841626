package dev.keelson.http.connection;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.connection.limit.ConnectionRate;
import dev.keelson.http.connection.limit.UnreadResponses;
import dev.keelson.work.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Sends a streamed body from the request's thread, which blocks while the write queue is full. */
final class StreamedResponse implements Body.Sink {

  private static final Logger LOG = Logger.getLogger(StreamedResponse.class);

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final ResponseHead head;
  private final PartsUnderWay parts;
  private final Runnable onCut;
  private final Context context;
  private final RequestCompletion end;
  private final UnreadResponses.@Nullable Connection unread;
  private final @Nullable ConnectionRate rate;
  private @Nullable CompletableFuture<Void> waiting;

  /** Whether the request is complete, or its client gone. */
  private volatile boolean over;

  /**
   * @param parts those of all responses
   * @param rate how fast the body may be sent; null for no limit
   * @param onCut runs on the event loop when the response is ended before its end
   */
  StreamedResponse(
      Responses.Target target,
      ResponseHead head,
      PartsUnderWay parts,
      @Nullable ConnectionRate rate,
      Runnable onCut) {
    this.parts = parts;
    this.rate = rate;
    this.onCut = onCut;
    this.head = head;
    this.request = target.request();
    this.response = request.response();
    this.context = target.context();
    this.end = target.end();
    this.unread = target.unread();
  }

  /**
   * Sends the body. A failure closes the connection, so that the client does not take the partial
   * body for complete.
   */
  void send(ApiResponse answer, Body.Streamed body) {
    send(
        answer,
        sink -> Turn.perform(() -> over, () -> body.writeTo(sink)),
        body::abandon,
        () -> {});
  }

  /**
   * Passes on the body of another server's response, and lets go of that server when the client
   * disconnects. The head goes out at once: the first event of a watch may be long in coming.
   */
  void send(ApiResponse answer, Body.Relayed body) {
    send(answer, body::writeTo, body::abandon, () -> response.write(Buffer.buffer()));
  }

  private void send(ApiResponse answer, Writer body, Runnable abandon, Runnable begin) {
    Promise<Void> sent = Promise.promise();
    try {
      onLoop(
          done -> {
            end.add(this::gone);
            end.add(abandon);
            UnreadResponses.hold(unread, UnreadResponses.LEAST_BYTES, sent.future());
            end.add(sent::tryComplete);
            head.write(response, answer);
            response.setChunked(answer.header("Content-Length").isEmpty());
            begin.run();
            done.complete(null);
          });
      body.writeTo(this);
      context.runOnContext(
          onLoop -> response.end().onFailure(gone -> LOG.debugf("client disconnected: %s", gone)));
    } catch (Body.ClientGoneException e) {
      LOG.debugf("client disconnected during the response");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      abort();
    } catch (RuntimeException e) {
      if (over) {
        LOG.debugf("client disconnected during the response: %s", e);
        return;
      }
      LOG.warnf(e, "event=response-aborted");
      abort();
    }
  }

  private void abort() {
    context.runOnContext(onLoop -> cut());
  }

  /**
   * Ends the response before its end, so that the client does not take it for complete, without
   * waiting for bytes that the client does not read; on the event loop. The body is no longer
   * written.
   */
  void cut() {
    if (response.ended()) {
      return;
    }
    onCut.run();
    if (request.version() != HttpVersion.HTTP_2
        && request.connection() instanceof ConnectionBase connection) {
      // a reset of the response would wait until what was written has been sent
      var unused = connection.channel().close();
    } else {
      boolean unused = response.reset();
    }
    gone();
  }

  @Override
  public void write(Payload part) throws InterruptedException {
    ConnectionRate limit = rate;
    if (limit == null || part.length() <= limit.piece()) {
      writePiece(part);
      return;
    }
    byte[] all = part.toByteArray();
    for (int at = 0; at < all.length; at += limit.piece()) {
      writePiece(
          new Payload(
              List.of(new Payload.Slice(all, at, Math.min(limit.piece(), all.length - at)))));
    }
  }

  private void writePiece(Payload part) throws InterruptedException {
    ByteBuf bytes = composite(part);
    parts.began();
    try {
      onLoop(
          done -> {
            Promise<Void> written = Promise.promise();
            int length = bytes.readableBytes();
            writeNext(bytes, written, () -> completeWhenDue(length, done));
            UnreadResponses.hold(unread, length, written.future());
            written.future().onFailure(done::completeExceptionally);
          });
    } finally {
      parts.ended();
    }
  }

  /**
   * Writes as much as other responses leave this one for now, and then the rest, when the event
   * loop has served them.
   *
   * @param written completes when all bytes are sent, or one cannot be
   * @param onTaken runs when the response takes more bytes than these
   */
  private void writeNext(ByteBuf rest, Promise<Void> written, Runnable onTaken) {
    if (response.closed()) {
      rest.release();
      boolean unused = written.tryFail(new Body.ClientGoneException());
      return;
    }
    int piece = parts.piece();
    boolean last = rest.readableBytes() <= piece;
    @SuppressWarnings("deprecation") // the only way to write slices without a copy
    Buffer chunk = Buffer.buffer(last ? rest : rest.readRetainedSlice(piece));
    Future<Void> sent = response.write(chunk);
    sent.onFailure(written::tryFail);
    if (last) {
      sent.onSuccess(written::tryComplete);
    }
    Runnable next = last ? onTaken : () -> writeNext(rest, written, onTaken);
    if (response.writeQueueFull()) {
      response.drainHandler(
          drained -> {
            // it would run again whenever a later part was taken
            response.drainHandler(null);
            next.run();
          });
    } else if (last) {
      next.run();
    } else {
      context.runOnContext(later -> next.run());
    }
  }

  /** Lets the writer, a virtual thread, go on when the next bytes are due. */
  private void completeWhenDue(int sent, CompletableFuture<Void> done) {
    long wait = 0;
    if (rate != null) {
      rate.take(sent);
      wait = rate.waitNanos();
    }
    if (wait == 0) {
      done.complete(null);
    } else {
      long unused =
          context.owner().setTimer(Math.ceilDiv(wait, 1_000_000), due -> done.complete(null));
    }
  }

  /** Wraps the part without copying: TLS copies each record that it encrypts anyway. */
  private static ByteBuf composite(Payload part) {
    List<Payload.Slice> slices = part.slices();
    CompositeByteBuf all = Unpooled.compositeBuffer(slices.size());
    for (Payload.Slice slice : slices) {
      all.addComponent(true, Unpooled.wrappedBuffer(slice.array(), slice.offset(), slice.length()));
    }
    return all;
  }

  /** Runs on the event loop when the request completes; fails a waiting writer. */
  private void gone() {
    over = true;
    CompletableFuture<Void> step = waiting;
    // after a complete response the last step is done: an exception for nobody costs its stack
    // trace
    if (step != null && !step.isDone()) {
      step.completeExceptionally(new Body.ClientGoneException());
    }
  }

  private interface Writer {
    void writeTo(Body.Sink sink) throws InterruptedException;
  }

  private interface Step {
    void run(CompletableFuture<Void> done);
  }

  /**
   * Runs a step on the event loop and waits for its future; any failure means that the client has
   * disconnected.
   */
  private void onLoop(Step step) throws InterruptedException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    context.runOnContext(
        onLoop -> {
          waiting = done;
          step.run(done);
        });
    try {
      done.get();
    } catch (ExecutionException e) {
      LOG.debugf("the connection failed: %s", e.getCause());
      throw new Body.ClientGoneException();
    }
  }
}
