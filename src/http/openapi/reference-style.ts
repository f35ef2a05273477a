import { style } from '../../oauth/pages/layout/page-style.ts';

/**
 * The style sheet of the reference: that of the other pages, with subjects at the left, what an operation takes in the middle, and its
 * sample at the right, from the width on that has space for them.
 */
export const referenceStyle = `${style}
html{scroll-padding-top:4.5rem}
header{position:sticky;top:0;z-index:1}
.bar{max-width:none;padding:.7rem 2rem}
.layout{display:grid;grid-template-columns:minmax(0,1fr);max-width:104rem;margin:0 auto}
.subjects{padding:1rem 1.25rem;max-height:15rem;overflow-y:auto;border-bottom:1px solid var(--line)}
.subjects ul{list-style:none;margin:0;padding:0}
.subjects summary{padding:.3rem .5rem;border-radius:6px;font-weight:500;display:flex;gap:.5rem;align-items:baseline}
.subjects summary::before{content:"\\203a";color:var(--soft);width:.6rem}
.subjects details[open]>summary::before{transform:rotate(90deg)}
.subjects summary span{margin-left:auto;font-weight:400}
.subjects li a{display:block;padding:.25rem .5rem .25rem 1.6rem;border-radius:6px;color:var(--soft);text-decoration:none;font-size:.875rem}
.subjects li a:hover,.subjects summary:hover{background:var(--good-soft);color:var(--ink)}
main{max-width:none;min-width:0;padding:2rem 1.25rem 4rem}
main h1{font-size:2rem;margin-bottom:.6rem}
main>h2{font-size:1.5rem;letter-spacing:-.015em;margin:3.5rem 0 .4rem}
main>p{max-width:46rem}
.operation{border-top:1px solid var(--line);padding:1.75rem 0;margin:1.25rem 0 0;display:grid;grid-template-columns:minmax(0,1fr);gap:0 2.5rem}
.operation h3{font-size:1.15rem;margin:0 0 .35rem}
.operation h3 a{color:inherit;text-decoration:none}.operation h3 a:hover{text-decoration:underline}
.operation:target h3{text-decoration:underline;text-decoration-color:var(--accent);text-decoration-thickness:3px}
.method{display:inline-block;border-radius:5px;padding:.05rem .45rem;margin-right:.5rem;font-size:.75rem;font-weight:600;background:var(--good-soft);color:var(--accent)}
.operation table{margin:.75rem 0 1.25rem;font-size:.875rem;table-layout:fixed}
.operation th:nth-child(1){width:36%}.operation th:nth-child(2){width:22%}
.sample{min-width:0}
.sample p{margin:0;padding:.5rem .9rem;font-size:.75rem;color:#b5b0a8;background:#2b2a28;border-radius:10px 10px 0 0}
.sample .secret{margin:0 0 1rem;border:0;border-radius:0 0 10px 10px;background:#1d1c1a;color:#eceae6;padding:.9rem;font-size:.8125rem;line-height:1.6}
@media (min-width:64rem){
.layout{grid-template-columns:16rem minmax(0,1fr)}
.subjects{position:sticky;top:3.1rem;height:calc(100vh - 3.1rem);max-height:none;padding:1.5rem 1rem 2rem;border-bottom:0;border-right:1px solid var(--line)}
main{padding:2.5rem 2rem 6rem 2.5rem}
}
@media (min-width:80rem){
.operation{grid-template-columns:minmax(0,1fr) minmax(18rem,32%)}
.operation.alone{grid-template-columns:minmax(0,1fr)}
.sample{grid-column:2;grid-row:1;align-self:start;position:sticky;top:4.5rem}
}
@media print{.subjects,header{display:none}.layout{display:block}.sample .secret,.sample p{background:none;color:inherit;border:1px solid var(--line)}}
`;
