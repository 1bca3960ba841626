package dev.keelson.server.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/** The TLS of a listener that decides for each connection which of two contexts serves it. */
final class EitherContext extends SslContext {

  private final BooleanSupplier first;
  private final Supplier<SslContext> one;
  private final SslContext other;

  /**
   * @param first whether {@code one} serves the next connection
   * @param one asked for each connection that it serves
   */
  EitherContext(BooleanSupplier first, Supplier<SslContext> one, SslContext other) {
    this.first = first;
    this.one = one;
    this.other = other;
  }

  private SslContext chosen() {
    return first.getAsBoolean() ? one.get() : other;
  }

  @Override
  public boolean isClient() {
    return false;
  }

  @Override
  public List<String> cipherSuites() {
    return chosen().cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // Netty's abstract method has this type
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return chosen().applicationProtocolNegotiator();
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return chosen().newEngine(allocator);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
    return chosen().newEngine(allocator, host, port);
  }

  // a context of BoringSSL makes handlers of engines that need not behave as those of the JDK

  @Override
  protected SslHandler newHandler(ByteBufAllocator allocator, boolean startTls) {
    return chosen().newHandler(allocator);
  }

  @Override
  protected SslHandler newHandler(
      ByteBufAllocator allocator, boolean startTls, Executor delegatedTasks) {
    return chosen().newHandler(allocator, delegatedTasks);
  }

  @Override
  public SSLSessionContext sessionContext() {
    return chosen().sessionContext();
  }
}
