package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.connection.limit.Strangers;
import dev.keelson.http.connection.limit.UnreadResponses;
import dev.keelson.testing.Eventually;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The accepting channel, over sockets: an exception costs a connection or ends the server. */
@Timeout(60)
class ListenerTest {

  private final EventLoopGroup loops = new NioEventLoopGroup(1);
  private final AtomicReference<@Nullable Throwable> preparing = new AtomicReference<>();
  private final AtomicReference<@Nullable Throwable> accepting = new AtomicReference<>();
  private final AtomicInteger closed = new AtomicInteger();

  /** Fails once, as it is told. */
  private static void failOnce(AtomicReference<@Nullable Throwable> with) {
    switch (with.getAndSet(null)) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }

  private final ConnectionLimits limits =
      new ConnectionLimits(
          connection -> {
            failOnce(preparing);
            var unused =
                connection
                    .pipeline()
                    .addFirst(
                        new ConnectionTimes(
                            new Strangers(9, 9), UnreadResponses.ofMemory(), System::nanoTime));
          }) {
        @Override
        protected void listenerOpened(Channel listener) {}

        @Override
        protected void handshakeFailed() {}

        @Override
        protected void listenerClosed() {
          closed.incrementAndGet();
        }
      };

  private final class Listening extends NioServerSocketChannel {
    @Override
    protected int doReadMessages(List<Object> messages) throws Exception {
      if (accepting.get() instanceof IOException e) {
        accepting.set(null);
        throw e;
      }
      failOnce(accepting);
      return super.doReadMessages(messages);
    }
  }

  /** In front of Netty's acceptor, which catches exceptions of its extensions, but no errors. */
  private final class Preparing extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object connection) {
      try {
        limits.postInitializeServerChildChannel((Channel) connection);
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("injected");
      }
      ctx.fireChannelRead(connection);
    }
  }

  @Sharable
  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      var unused = ctx.writeAndFlush(message);
    }
  }

  private Channel listen() throws InterruptedException {
    Channel listener =
        new ServerBootstrap()
            .group(loops)
            .channelFactory(Listening::new)
            .handler(new Preparing())
            .childHandler(new Echo())
            .register()
            .sync()
            .channel();
    limits.postInitializeServerListenerChannel((Listening) listener);
    var unused = listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).sync();
    return listener;
  }

  @AfterEach
  void stop() {
    var unused = loops.shutdownGracefully();
  }

  /** Sends a byte; returns it, or -1 if the connection was ended. */
  private static int echo(Channel listener) throws IOException {
    InetSocketAddress address = (InetSocketAddress) listener.localAddress();
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(7);
      return socket.getInputStream().read();
    } catch (SocketException reset) {
      return -1;
    }
  }

  @Test
  void exceptionWhileAConnectionIsPrepared_costsThatConnection() throws Exception {
    Channel listener = listen();
    for (Throwable failure :
        List.of(new IllegalStateException("injected"), new StackOverflowError("injected"))) {
      preparing.set(failure);

      assertThat(echo(listener)).isEqualTo(-1);
      assertThat(echo(listener)).isEqualTo(7);
    }
    assertThat(closed).hasValue(0);
  }

  @Test
  void tooManyOpenFiles_arePassing() throws Exception {
    Channel listener = listen();
    accepting.set(new IOException("Too many open files"));

    assertThat(echo(listener)).isEqualTo(7);
    assertThat(closed).hasValue(0);
  }

  @Test
  void errorWhileAccepting_closesTheListener_whichTheServerIsTold() throws Exception {
    Channel listener = listen();
    accepting.set(new StackOverflowError("injected"));

    assertThat(echo(listener)).isEqualTo(-1);

    Eventually.assertEventually(() -> assertThat(closed).hasValue(1));
    assertThat(listener.isOpen()).isFalse();
  }

  @Test
  void listenerThatWasNeverOpen_isNotMissed() throws Exception {
    Channel first = listen();
    Channel second = new Listening();
    var registered = loops.register(second).sync();
    limits.postInitializeServerListenerChannel((Listening) second);

    var bound = second.bind(first.localAddress()).await();
    var unused = second.close().sync();

    assertThat(registered.isSuccess()).isTrue();
    assertThat(bound.isSuccess()).isFalse();
    assertThat(closed).hasValue(0);
  }
}
