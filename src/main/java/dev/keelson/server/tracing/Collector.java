package dev.keelson.server.tracing;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * The connection to a collector: OTLP by gRPC without TLS, as kube-apiserver speaks it. The channel
 * is made here, since its transport is to be Java's in the native executable too.
 */
final class Collector implements AutoCloseable {

  private static final String UNIX = "unix:";

  private final NioEventLoopGroup loop;
  private final ManagedChannel channel;

  private Collector(NioEventLoopGroup loop, ManagedChannel channel) {
    this.loop = loop;
    this.channel = channel;
  }

  /** The collector at an endpoint that {@link TracingConfiguration} has accepted. */
  static Collector at(String endpoint) {
    NioEventLoopGroup loop =
        new NioEventLoopGroup(1, new DefaultThreadFactory("tracing", /* daemon= */ true));
    NettyChannelBuilder channel =
        endpoint.startsWith(UNIX)
            ? socket(endpoint.substring(UNIX.length()))
            : NettyChannelBuilder.forTarget(
                    endpoint.contains("//") ? endpoint : "dns:///" + endpoint)
                .channelType(NioSocketChannel.class);
    return new Collector(
        loop, channel.eventLoopGroup(loop).usePlaintext().directExecutor().build());
  }

  /** {@code unix:relative}, {@code unix:/absolute} and {@code unix:///absolute}. */
  private static NettyChannelBuilder socket(String name) {
    String path = name.startsWith("///") ? name.substring(2) : name;
    return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(path))
        .channelFactory(Collector::open, UnixDomainSocketAddress.class)
        .overrideAuthority("localhost");
  }

  private static NioDomainSocketChannel open() {
    try {
      return new NioDomainSocketChannel(SocketChannel.open(StandardProtocolFamily.UNIX));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What sends spans on this connection. */
  @SuppressWarnings("deprecation") // the way without it makes a channel of another transport
  SpanExporter exporter() {
    return OtlpGrpcSpanExporter.builder().setChannel(channel).build();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    Future<?> unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
