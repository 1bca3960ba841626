package dev.keelson.testing;

import com.google.protobuf.ByteString;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A collector of traces: OTLP by gRPC on a free port of the loopback address. */
public final class TraceCollector implements AutoCloseable {

  private final NioEventLoopGroup loop = new NioEventLoopGroup(1);
  private final List<Collected> spans = new CopyOnWriteArrayList<>();
  private final Server server;

  /**
   * A span.
   *
   * @param trace its trace, in hexadecimal digits
   * @param id its own id
   * @param parent the id of the span above it; empty for the first
   * @param links the traces that it is linked to
   * @param attributes with numbers as text
   * @param events their names, in the order of their times
   * @param resource the attributes of the process
   */
  public record Collected(
      String name,
      Span.SpanKind kind,
      String trace,
      String id,
      String parent,
      List<String> links,
      Map<String, String> attributes,
      List<String> events,
      Map<String, String> resource,
      long begin,
      long end,
      boolean failed) {}

  /** A collector that listens. */
  public TraceCollector() throws IOException {
    MethodDescriptor<ExportTraceServiceRequest, ExportTraceServiceResponse> export =
        MethodDescriptor.<ExportTraceServiceRequest, ExportTraceServiceResponse>newBuilder()
            .setType(MethodType.UNARY)
            .setFullMethodName("opentelemetry.proto.collector.trace.v1.TraceService/Export")
            .setRequestMarshaller(
                ProtoUtils.marshaller(ExportTraceServiceRequest.getDefaultInstance()))
            .setResponseMarshaller(
                ProtoUtils.marshaller(ExportTraceServiceResponse.getDefaultInstance()))
            .build();
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .channelType(NioServerSocketChannel.class)
            .bossEventLoopGroup(loop)
            .workerEventLoopGroup(loop)
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder(
                        "opentelemetry.proto.collector.trace.v1.TraceService")
                    .addMethod(export, ServerCalls.asyncUnaryCall(this::export))
                    .build())
            .build()
            .start();
  }

  /** The host and the port. */
  public String endpoint() {
    return "127.0.0.1:" + server.getPort();
  }

  /** The spans so far, in the order of their ends. */
  public List<Collected> spans() {
    return List.copyOf(spans);
  }

  /** The spans of a trace so far. */
  public List<Collected> spansOf(String trace) {
    return spans.stream().filter(span -> span.trace().equals(trace)).toList();
  }

  private void export(
      ExportTraceServiceRequest request, StreamObserver<ExportTraceServiceResponse> answer) {
    for (ResourceSpans process : request.getResourceSpansList()) {
      Map<String, String> resource = values(process.getResource().getAttributesList());
      process.getScopeSpansList().stream()
          .flatMap(scope -> scope.getSpansList().stream())
          .forEach(span -> spans.add(collected(span, resource)));
    }
    answer.onNext(ExportTraceServiceResponse.getDefaultInstance());
    answer.onCompleted();
  }

  private static Collected collected(Span span, Map<String, String> resource) {
    List<String> links = new ArrayList<>();
    span.getLinksList().forEach(link -> links.add(hex(link.getTraceId())));
    return new Collected(
        span.getName(),
        span.getKind(),
        hex(span.getTraceId()),
        hex(span.getSpanId()),
        hex(span.getParentSpanId()),
        links,
        values(span.getAttributesList()),
        span.getEventsList().stream().map(Span.Event::getName).toList(),
        resource,
        span.getStartTimeUnixNano(),
        span.getEndTimeUnixNano(),
        span.getStatus().getCodeValue() == 2);
  }

  private static Map<String, String> values(List<KeyValue> attributes) {
    Map<String, String> values = new TreeMap<>();
    for (KeyValue attribute : attributes) {
      AnyValue value = attribute.getValue();
      values.put(
          attribute.getKey(),
          value.hasIntValue() ? Long.toString(value.getIntValue()) : value.getStringValue());
    }
    return values;
  }

  private static String hex(ByteString id) {
    return HexFormat.of().formatHex(id.toByteArray());
  }

  @Override
  public void close() throws InterruptedException {
    server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS);
  }
}
